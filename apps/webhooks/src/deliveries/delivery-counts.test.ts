import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Metrics, measureSchema } from '@store/service';
import { capturingLog, logNothing } from '@store/testbed';
import { event, respond, type WebhooksUnderTest, webhooksUnderTest } from '../../test/webhooks-under-test.ts';
import type { Outcome } from '../receivers/types.ts';
import { DeliveryMetrics } from './delivery-metrics.ts';
import { Dispatcher } from './dispatcher.ts';
import { retryWaitsMs } from './schedule.ts';

let webhooks: WebhooksUnderTest;
beforeAll(async () => {
  webhooks = await webhooksUnderTest();
});
afterAll(() => webhooks?.close());
beforeEach(() => webhooks.reset());

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
