import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serviceNames } from '@store/contract';
import { Metrics, type Running } from '@store/service';
import { type TestDatabase, testDatabase } from '@store/testbed';
import { newKey } from '../src/keys/key-text.ts';
import { startGateway } from './started-gateway.ts';

const metrics = new Metrics('gateway');
let database: TestDatabase;
let gateway: Running;

beforeAll(async () => {
  database = await testDatabase('metrics', async () => undefined);
  // A port without a listener: the key gate falls back on PostgreSQL and this process.
  gateway = await startGateway(database.url, { REDIS_URL: 'redis://127.0.0.1:1' }, { metrics });
});

afterAll(async () => {
  await gateway?.stop();
  await database?.close();
});

const ask = (path: string, headers: Record<string, string> = {}) => fetch(`http://${gateway.address}${path}`, { headers });

test('requests are counted by route template and status, never by path', async () => {
  for (const path of ['/products/7', '/products/8', '/nothing/at/all']) await ask(`/api/v1${path}`);
  const text = await metrics.text();
  expect(text).toMatch(/request_duration_seconds_count\{app="gateway",method="GET",route="\/products\/\{id\}",status="401"\} 2/);
  expect(text).toMatch(/request_duration_seconds_count\{app="gateway",method="GET",route="none",status="401"\} 1/);
  expect(text).not.toMatch(/products\/7|at\/all/);
});

test('D14: a Redis that is down is counted: failed calls, and answers without it', async () => {
  const response = await ask('/api/v1/products', { 'X-API-Key': newKey() });
  expect(response.status).toBe(401);
  const text = await metrics.text();
  for (const name of ['failures', 'fallbacks']) expect(text).toMatch(new RegExp(`store_gate_${name}_total\\{app="gateway"\\} [1-9]`));
  expect(text).toMatch(/store_gate_opened_total\{app="gateway"\} \d/);
});

test('metrics include the pool and the calls to each service', async () => {
  const text = await metrics.text();
  expect(text).toMatch(/store_pool_connections_max\{app="gateway"\} 10/);
  for (const service of serviceNames) expect(text).toMatch(new RegExp(`store_breaker_open\\{to="${service}",app="gateway"\\} 0`));
});

test('the metrics are not on the public port', async () => {
  const response = await ask('/metrics');
  expect([response.status, await response.json()]).toEqual([404, { error: 'Not found' }]);
});
