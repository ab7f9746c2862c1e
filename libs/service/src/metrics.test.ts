import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Message, MessageTooLarge } from '@store/events';
import { capturingLog, logNothing, RecordingTransport, testDatabase } from '@store/testbed';
import { openClient } from '@store/testbed/with-client';
import { Metrics } from './metrics.ts';
import { openHealth } from './run-process.ts';
import { measureSchema } from './schema-metrics.ts';

/** The sample's value; undefined when there is none. */
function sample(text: string, name: string, labels = ''): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}{`) && candidate.includes(labels));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

test('two starts in one process count separately', async () => {
  const [one, other] = [new Metrics('catalog'), new Metrics('inventory')];
  one.answered({ method: 'GET', route: '/products', status: 200, seconds: 0.003 });
  const text = await one.text();
  expect(sample(text, 'store_http_request_duration_seconds_count', 'app="catalog"')).toBe(1);
  expect(sample(text, 'store_http_request_duration_seconds_bucket', 'le="0.0025"')).toBe(0);
  expect(sample(text, 'store_http_request_duration_seconds_bucket', 'le="0.005"')).toBe(1);
  expect(sample(await other.text(), 'store_http_request_duration_seconds_count')).toBeUndefined();
});

test('a count kept by another component is read whenever metrics are requested', async () => {
  const metrics = new Metrics('gateway');
  let failures = 3;
  metrics.count('store_gate_failures_total', 'Failures.', () => failures);
  expect(sample(await metrics.text(), 'store_gate_failures_total')).toBe(3);
  failures = 5;
  expect(sample(await metrics.text(), 'store_gate_failures_total')).toBe(5);
});

test('several parts share a name under different labels; unknown values are left out', async () => {
  const metrics = new Metrics('gateway');
  let sales: number | undefined = 2;
  metrics.gauge('store_breaker_open', 'Open.', () => 1, { to: 'catalog' });
  metrics.gauge('store_breaker_open', 'Open.', () => sales, { to: 'sales' });
  const text = await metrics.text();
  expect([sample(text, 'store_breaker_open', 'to="catalog"'), sample(text, 'store_breaker_open', 'to="sales"')]).toEqual([1, 2]);
  sales = undefined;
  expect(sample(await metrics.text(), 'store_breaker_open', 'to="sales"')).toBeUndefined();
});

describe('over a transport', () => {
  const message = (id: string) => ({ id, topic: 'catalog.events' }) as Message;
  const silent = { publish: async () => undefined, subscribe: async () => undefined, stop: async () => undefined };

  test('published messages are counted, and failures too', async () => {
    const metrics = new Metrics('catalog');
    const recording = new RecordingTransport();
    await metrics.overTransport(recording).publish([message('1'), message('2')]);
    const refusing = { ...silent, publish: () => Promise.reject(new Error('down')) };
    const other = new Metrics('catalog');
    await expect(other.overTransport(refusing).publish([message('3')])).rejects.toThrow('down');
    expect(sample(await metrics.text(), 'store_relay_published_total')).toBe(2);
    expect(sample(await other.text(), 'store_relay_published_total')).toBe(0);
  });

  test('an event that is refused for its size counts, and stays refused', async () => {
    const refusing = { ...silent, publish: () => Promise.reject(new MessageTooLarge('1')) };
    const metrics = new Metrics('catalog');
    await expect(metrics.overTransport(refusing).publish([message('1')])).rejects.toThrow(MessageTooLarge);
    expect(sample(await metrics.text(), 'store_relay_too_large_total')).toBe(1);
  });

  test('a handled batch counts by its group; a rejected one as failed, and stays so', async () => {
    const metrics = new Metrics('gateway');
    let deliver: (batch: Message[]) => Promise<void> = async () => undefined;
    const subscribe = async ({ handle }: { handle(batch: Message[]): Promise<void> }) => {
      deliver = handle;
    };
    const transport = { ...silent, subscribe };
    const handle = async (batch: Message[]) => {
      if (batch[0]!.id === 'bad') throw new Error('lost');
    };
    await metrics.overTransport(transport).subscribe({ group: 'audit', topics: [], handle });
    await deliver([message('1'), message('2'), message('3')]);
    await expect(deliver([message('bad')])).rejects.toThrow('lost');
    const text = await metrics.text();
    expect(sample(text, 'store_consumer_handled_total', 'group="audit"')).toBe(3);
    expect(sample(text, 'store_consumer_failed_batches_total', 'group="audit"')).toBe(1);
  });
});

describe('of a schema', () => {
  let url: string;
  let close: () => Promise<void>;
  const database = async (...statements: string[]) => {
    const client = await openClient(url);
    for (const statement of statements) await client.query(statement);
    await client.end();
  };

  beforeAll(async () => {
    ({ url, close } = await testDatabase('metrics', async () => undefined));
    await database(
      'create schema shop',
      'create table shop.outbox (id bigserial, created_at timestamptz(3) not null)',
      'create table shop.dead_letters (id bigserial, redriven_at timestamptz(3))',
      `insert into shop.outbox (created_at) values (clock_timestamp() - interval '90 seconds'), (clock_timestamp())`,
      'insert into shop.dead_letters (redriven_at) values (null), (clock_timestamp())',
    );
  });
  afterAll(() => close());

  test('the outbox, its oldest event and dead letters are counted on request', async () => {
    const metrics = new Metrics('shop');
    metrics.figure({ name: 'store_shop_letters', help: 'All.', text: 'select count(*) as value from shop.dead_letters' });
    const schema = measureSchema(metrics, url, 'shop', logNothing);
    const text = await metrics.text();
    expect(sample(text, 'store_outbox_rows')).toBe(2);
    expect(Math.floor(sample(text, 'store_outbox_oldest_seconds')! / 60)).toBe(1);
    expect([sample(text, 'store_dead_letters'), sample(text, 'store_shop_letters')]).toEqual([1, 2]);
    expect(sample(text, 'store_database_up')).toBe(1);
    await database('delete from shop.outbox');
    const later = await metrics.text();
    expect([sample(later, 'store_outbox_rows'), sample(later, 'store_outbox_oldest_seconds')]).toEqual([0, 0]);
    await schema.stop();
  });

  test('a database that is down is reported as such, and its figures are left out', async () => {
    const { log, lines } = capturingLog();
    const metrics = new Metrics('shop');
    const schema = measureSchema(metrics, 'postgres://nobody@127.0.0.1:1/none', 'shop', log);
    const text = await metrics.text();
    expect(sample(text, 'store_database_up')).toBe(0);
    expect(sample(text, 'store_outbox_rows')).toBeUndefined();
    expect(lines).toHaveLength(1);
    await schema.stop();
  });
});

test('GET /metrics is served beside /healthz and /readyz, with resources used', async () => {
  const metrics = new Metrics('shop');
  metrics.ofProcess();
  const health = openHealth('127.0.0.1', 0, metrics, () => ({ stuck: undefined, stopping: true }));
  await once(health, 'listening');
  const base = `http://127.0.0.1:${(health.address() as AddressInfo).port}`;
  const response = await fetch(`${base}/metrics`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const text = await response.text();
  expect(sample(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect(sample(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  expect([(await fetch(`${base}/healthz`)).status, (await fetch(`${base}/readyz`)).status]).toEqual([200, 503]);
  health.close();
  health.closeAllConnections();
});
