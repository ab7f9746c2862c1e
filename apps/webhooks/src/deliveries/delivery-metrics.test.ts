/** What deliveries show to operators: counted ends, the backlog, and secrets that no configured key decrypts (D207). */
import { expect, test } from '@jest/globals';
import { Metrics, measureSchema } from '@store/service';
import { capturingLog, logNothing } from '@store/testbed';
import { event, failed, newRing, respond, shareWebhooks, webhooks } from '../../test/webhooks-under-test.ts';
import { openSecret } from '../secrets.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';

shareWebhooks();

/** The non-zero samples of one metric, by label. */
function samples(text: string, name: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  const pairs = lines.map((line): [string, number] => [/(?:outcome|state)="(\w+)"/.exec(line)?.[1] ?? '', Number(line.split(' ').at(-1))]);
  return Object.fromEntries(pairs.filter(([, value]) => value !== 0));
}

test('attempts are counted by outcome, deliveries by that of their last attempt', async () => {
  const counts = new DeliveryMetrics(logNothing);
  const metrics = new Metrics('webhooks');
  counts.showOn(metrics, () => 0);
  await webhooks.subscribe();
  webhooks.answer(204, 404, 503, failed('timeout'), 200);
  const loop = webhooks.newDispatcher({ metrics: counts });
  for (let n = 0; n < 5; n++) {
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

test('deliveries of an unreadable secret end unsent, until the key is restored', async () => {
  const [lost, healthy] = [await webhooks.subscribe(), await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/healthy' })];
  // The ring of this dispatcher has the key of one subscription alone.
  const keyRing = newRing(2);
  const [{ sealed }] = await webhooks.rows('select sealed from webhooks.subscription_secrets where subscription_id = $1', [healthy.id]);
  const secret = openSecret(webhooks.app.keyRing, { storeId: 1, subscriptionId: healthy.id }, sealed);
  const moved = keyRing.seal(Buffer.from(secret), `1:${healthy.id}`);
  await webhooks.rows('update webhooks.subscription_secrets set sealed = $2 where subscription_id = $1', [healthy.id, moved]);
  const lines: object[] = [];
  let nowMs = 0;
  const metrics = new DeliveryMetrics({ error: (fields: object) => void lines.push(fields) }, () => nowMs);
  const loop = webhooks.newDispatcher({ keyRing, metrics });
  await webhooks.publish(event(), event());
  await loop.drain();

  expect(webhooks.receivedAt('/healthy')).toBe(2);
  expect(webhooks.received).toHaveLength(2);
  const deliveries = await webhooks.rows(
    'select id::int, subscription_id::int as subscription, state from webhooks.deliveries order by id',
  );
  for (const { subscription, state } of deliveries) expect(state).toBe(subscription === lost.id ? 'failed' : 'succeeded');
  const attempts = await webhooks.rows('select outcome, success from webhooks.attempts where subscription_id = $1', [lost.id]);
  expect(attempts).toEqual(Array(2).fill({ outcome: 'secret_unreadable', success: false }));
  expect(await webhooks.subscription(lost.id)).toMatchObject({ active: true, failure_count: 0 });
  expect(await webhooks.notices()).toMatchObject(Array(2).fill({ kind: 'secret_unreadable', webhook_subscription_id: lost.id }));

  expect(lines).toMatchObject([{ subscription_id: lost.id, err: new Error('the key ring has no key 1') }]);
  nowMs = 60_000;
  await webhooks.publish(event());
  await loop.drain();
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ deliveries: 2 });

  webhooks.answer(respond(200));
  webhooks.received.length = 0;
  await webhooks.staff('ResendDelivery', deliveries.find(({ subscription }) => subscription === lost.id).id);
  await webhooks.loop.drain();
  expect(webhooks.received).toHaveLength(1);
  expect((await webhooks.subscription(lost.id)).failure_count).toBe(0);
});
