/** What deliveries show to operators: counted ends, the backlog, and secrets that no configured key decrypts (D207). */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { parseKeyRing } from '@store/db';
import { Metrics, measureSchema } from '@store/service';
import { capturingLog, logNothing } from '@store/testbed';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, respond, staffCaller } from '../../test/webhooks-under-test.ts';
import type { Outcome } from '../receivers/types.ts';
import { openSecret } from '../secrets.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { Dispatcher } from './dispatcher.ts';
import { retryWaitsMs } from './schedule.ts';

shareWebhooks();

/** The non-zero samples of one metric, by label. */
function samples(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  const pairs = lines.map((line): [string, number] => [/(?:outcome|state)="(\w+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== 0));
}

test('attempts are counted by their outcome, deliveries once by the outcome of their last attempt', async () => {
  const counts = new DeliveryMetrics(logNothing);
  const metrics = new Metrics('webhooks');
  counts.showOn(metrics, () => 0);
  const loop = new Dispatcher({ ...webhooks.app, metrics: counts }, { retryWaitsMs });
  await webhooks.subscribe();
  const outcomes: Outcome[] = [
    respond(204),
    respond(404),
    respond(503),
    { kind: 'failed', reason: 'timeout', durationMs: 1 },
    respond(200),
  ];
  for (const outcome of outcomes) {
    webhooks.state.receive = () => outcome;
    await webhooks.publish(event());
    await loop.drain();
  }
  const text = await metrics.text();
  expect(samples(text, 'store_webhook_attempts_total')).toEqual({ success: 2, http_error: 2, timeout: 1 });
  expect(samples(text, 'store_webhook_deliveries_total')).toEqual({ succeeded: 2, failed: 1 });
});

test('due deliveries, their age and disabled subscriptions are read from the schema', async () => {
  const metrics = new Metrics('webhooks');
  new DeliveryMetrics(logNothing).showOn(metrics, () => 3);
  const { log, lines } = capturingLog();
  const schema = measureSchema(metrics, webhooks.url, 'webhooks', log);
  const shown = async () => {
    const text = await metrics.text();
    const names = ['in_flight', 'due_deliveries', 'due_oldest_seconds', 'subscriptions_disabled'];
    return names.map((name) => Math.floor(samples(text, `store_webhook_${name}`)[''] ?? 0));
  };
  const { id } = await webhooks.subscribe();
  await webhooks.publish(event(), event(), event());
  await webhooks.rows(
    `update webhooks.deliveries set due_at = clock_timestamp() + case sequence when 1 then interval '1 hour' else interval '-90 seconds' end`,
  );
  expect(await shown()).toEqual([3, 2, 90, 0]);
  await webhooks.rows('update webhooks.subscriptions set active = false, disabled_at = clock_timestamp() where id = $1', [id]);
  await webhooks.rows('delete from webhooks.deliveries');
  expect(await shown()).toEqual([3, 0, 0, 1]);
  expect(lines).toEqual([]);
  await schema.stop();
});

const otherRing = parseKeyRing(`2:${randomBytes(32).toString('base64')}`);
const healthyUrl = 'https://hooks.shop-erp.com/healthy';
const sealedOf = async (id: number) =>
  (await webhooks.rows<{ sealed: string }>('select sealed from webhooks.subscription_secrets where subscription_id = $1', [id]))[0]!.sealed;

/** A dispatcher whose ring lacks the keys of all subscriptions except those re-encrypted for it. */
function loopWithout(metrics: DeliveryMetrics): Dispatcher {
  return new Dispatcher({ ...webhooks.app, keyRing: otherRing, metrics }, { retryWaitsMs });
}

/** Encrypts the subscription's secret under the dispatcher's ring. */
async function move(id: number): Promise<void> {
  const owner = { storeId: 1, subscriptionId: id };
  const secret = openSecret(webhooks.app.keyRing, owner, await sealedOf(id));
  const sealed = otherRing.seal(Buffer.from(secret), `1:${id}`);
  await webhooks.rows('update webhooks.subscription_secrets set sealed = $2 where subscription_id = $1', [id, sealed]);
}

test('the deliveries of an unreadable secret end unsent with a notice and do not count as failures; other subscriptions are served at once', async () => {
  const lost = await webhooks.subscribe();
  const healthy = await webhooks.subscribe({ url: healthyUrl });
  await move(healthy.id);
  const lines: object[] = [];
  let nowMs = 0;
  const metrics = new DeliveryMetrics({ error: (fields: object) => void lines.push(fields) }, () => nowMs);
  const loop = loopWithout(metrics);
  await webhooks.publish(event(), event());
  await loop.drain();

  expect(webhooks.received.map(({ url }) => url)).toEqual([healthyUrl, healthyUrl]);
  const states = await webhooks.rows<{ subscription_id: string; state: string }>(
    'select subscription_id::text, state from webhooks.deliveries order by id',
  );
  for (const { subscription_id, state } of states) expect(state).toBe(Number(subscription_id) === lost.id ? 'failed' : 'succeeded');
  const attempts = await webhooks.rows('select outcome, success from webhooks.attempts where subscription_id = $1', [lost.id]);
  expect(attempts).toEqual(Array(2).fill({ outcome: 'secret_unreadable', success: false }));
  const { webhook_subscription } = await webhooks.detail(lost.id);
  expect(webhook_subscription).toMatchObject({ active: true, failure_count: 0 });
  const { webhook_notices } = await webhooks.query<{ webhook_notices: object[] }>('ListNotices', '', staffCaller());
  expect(webhook_notices).toHaveLength(2);
  for (const notice of webhook_notices) expect(notice).toMatchObject({ kind: 'secret_unreadable', webhook_subscription_id: lost.id });

  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ subscription_id: lost.id, err: new Error('the key ring has no key 1') });
  nowMs = 60_000;
  await webhooks.publish(event());
  await loop.drain();
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ deliveries: 2 });
});

test('once the key is restored, unsent deliveries can be sent again', async () => {
  const { id } = await webhooks.subscribe();
  await webhooks.publish(event());
  await loopWithout(new DeliveryMetrics(webhooks.app.log)).drain();
  expect(webhooks.received).toEqual([]);
  const [{ delivery }] = (await webhooks.rows<{ delivery: string }>('select id::text as delivery from webhooks.deliveries')) as [
    { delivery: string },
  ];
  await webhooks.id('ResendDelivery', delivery, staffCaller());
  await webhooks.loop.drain();
  expect(webhooks.received).toHaveLength(1);
  expect((await webhooks.detail(id)).webhook_subscription.failure_count).toBe(0);
});
