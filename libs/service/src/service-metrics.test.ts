import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTopics, KafkaTransport } from '@store/events';
import { type Channel, connect } from '@store/rpc';
import { capturingLog, describeWithKafka, logNothing, testMessage, testTrust } from '@store/testbed';
import { Metrics } from './metrics.ts';
import { measureChannel, measureLag, measurePool } from './service-metrics.ts';

const lines = (text: string, name: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`))
    .map((line) => line.replace(/^\w+\{app="shop",?|^\w+\{/, '{').replace(/,?app="shop"/, ''));

test("the pool's metrics are size, in use, waiting, and not served in time", async () => {
  const pool = { max: 4, inUse: 3, waiting: 2, timeouts: 1 };
  const metrics = new Metrics('shop');
  measurePool(metrics, { pool });
  const text = await metrics.text();
  const shown = ['connections_max', 'connections_in_use', 'waiting', 'timeouts_total'].map((name) => lines(text, `store_pool_${name}`));
  expect(shown).toEqual([['{} 4'], ['{} 3'], ['{} 2'], ['{} 1']]);
});

test('calls to a service are counted by their outcome, with the state of the breaker', async () => {
  const channels = ['catalog', 'customers'].map((to): [string, Channel] => [to, connect('127.0.0.1:1', testTrust())]);
  const metrics = new Metrics('shop');
  for (const [to, channel] of channels) measureChannel(metrics, to, channel);
  const { breaker } = channels[0]![1];
  for (const outcome of ['answered', 'lost', 'late', 'late', 'late', 'late', 'late'] as const) {
    (await breaker.enter())(outcome);
  }
  while (!breaker.isOpen) await new Promise((resolve) => setImmediate(resolve));
  await expect(breaker.enter()).rejects.toThrow();
  const text = await metrics.text();
  expect(lines(text, 'store_breaker_open')).toEqual(['{to="catalog"} 1', '{to="customers"} 0']);
  expect(lines(text, 'store_breaker_opened_total')).toEqual(['{to="catalog"} 1', '{to="customers"} 0']);
  expect(lines(text, 'store_calls_total').slice(0, 4)).toEqual([
    '{to="catalog",outcome="answered"} 1',
    '{to="catalog",outcome="late"} 5',
    '{to="catalog",outcome="lost"} 1',
    '{to="catalog",outcome="refused"} 1',
  ]);
  for (const [, channel] of channels) channel.close();
});

describeWithKafka('what a group has not handled yet', (brokers) => {
  const prefix = `lag-${randomUUID()}-`;
  const groups = [{ group: 'shop', topics: ['catalog.events'] }];
  let transport: KafkaTransport;
  beforeAll(async () => {
    await createTopics({ brokers, prefix, partitions: 2, retentionDays: 7, log: logNothing });
    transport = new KafkaTransport({ brokers, prefix, clientId: 'lag', log: logNothing, onFatal: () => undefined });
  });
  afterAll(() => transport?.stop());

  test('is read from Kafka, whether or not the group has a member', async () => {
    const metrics = new Metrics('shop');
    measureLag(metrics, { brokers, prefix, log: logNothing }, groups, logNothing);
    const about = { storeId: 1, name: 'product.updated' };
    await transport.publish(['1', '2', '3'].map((aggregate) => testMessage('catalog', { ...about, aggregate })));
    expect(lines(await metrics.text(), 'store_consumer_lag')).toEqual(['{group="shop"} 3']);
  });
});

test('a Kafka that does not answer is reported, and its figure is left out', async () => {
  const { log, lines: logged } = capturingLog();
  const metrics = new Metrics('shop');
  measureLag(metrics, { brokers: ['127.0.0.1:1'], log: logNothing }, [{ group: 'shop', topics: ['catalog.events'] }], log);
  expect(lines(await metrics.text(), 'store_consumer_lag')).toEqual([]);
  expect(logged).toEqual([expect.objectContaining({ msg: 'Kafka did not answer the metrics' })]);
});
