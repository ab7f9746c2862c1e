/** What the first page of the admin panel counts, and the lists behind it: requests, sales by hour, deliveries, low stock. */
import { expect, test } from '@jest/globals';
import { until } from '@store/testbed/until';
import { useReceiver, useWorld } from '../kit/use.ts';

const receiver = await useReceiver();
const world = await useWorld(receiver.env);
const other = await world.newStore();

const get = (path: string, token = world.store.token) => world.call('GET', path, { token });
const post = async (path: string, body: unknown) => (await world.call('POST', path, { token: world.store.token, body })).body;

test('GET /requests lists by key and status; its summary counts the last 24 hours', async () => {
  const key = await world.newKey(world.store, { name: 'Counted' });
  const { id: key_id } = (await get('/api_keys')).body.api_keys[0];
  await world.call('GET', '/products', { key, headers: { 'X-Request-Id': 'counted-first' } });
  // Past the hour, in steps that are shorter than what ends an idle session.
  for (const { token } of [world.store, other, world.store, other]) {
    world.clock.advance(10 * 60_000);
    await get('/settings', token);
  }
  await world.call('GET', '/products/999999', { key, headers: { 'X-Request-Id': 'counted-second' } });
  const all = (await get(`/requests?key_id=${key_id}`)).body;
  expect(all.pagination).toMatchObject({ total_count: 2, per_page: 50 });
  expect(all.requests).toEqual([
    {
      id: 'counted-second',
      method: 'GET',
      route: '/products/{id}',
      status: 404,
      error_code: 'not_found',
      key: { id: key_id, name: 'Counted' },
      user: null,
      duration_ms: expect.any(Number),
      created_at: '2026-11-21T10:10:00.000Z',
    },
    expect.objectContaining({ id: 'counted-first', status: 200, error_code: null }),
  ]);
  const idsOf = async (query: string) =>
    (await get(`/requests?key_id=${key_id}&${query}`)).body.requests.map(({ id }: { id: string }) => id);
  expect(await idsOf('status=4xx')).toEqual(['counted-second']);
  expect(await idsOf('status=200')).toEqual(['counted-first']);
  expect(await idsOf('status=junk')).toEqual([]);
  expect(await idsOf('by=keys')).toHaveLength(2);
  expect(await idsOf('by=staff')).toEqual([]);
  expect((await get('/requests?by=staff')).body.requests.every(({ key }: { key: unknown }) => key === null)).toBe(true);
  expect(await idsOf('since=2026-11-21T10:00:00Z')).toEqual(['counted-second']);
  expect((await get('/requests?since=junk')).body).toEqual({ error: 'since must be a valid timestamp' });
  const { request_summary } = (await get('/requests/summary')).body;
  expect(request_summary.keys).toEqual([{ key: { id: key_id, name: 'Counted' }, requests: 2, errors: 1, rate_limited: 0 }]);
  expect(request_summary.statuses).toContainEqual({ status: 404, requests: 1 });
  expect(request_summary.hours.map(({ hour }: { hour: string }) => hour)).toEqual(['2026-11-21T09:00:00.000Z', '2026-11-21T10:00:00.000Z']);
  expect(request_summary.requests).toBe(
    request_summary.statuses.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0),
  );
  expect((await get(`/requests?key_id=${key_id}`, other.token)).body.requests).toEqual([]);
  expect((await get('/requests/summary', other.token)).body.request_summary.keys).toEqual([]);
});

test("D259: requests over a key's limit or of a revoked key are counted, not listed", async () => {
  const key = await world.newKey(world.store, { name: 'Eager', rate_limit: 2 });
  const { id } = (await get('/api_keys')).body.api_keys[0];
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) statuses.push((await world.call('GET', '/key', { key })).status);
  expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
  expect((await world.call('DELETE', `/api_keys/${id}`, { token: world.store.token })).status).toBe(200);
  expect((await world.call('GET', '/key', { key })).status).toBe(401);
  expect((await get(`/requests?key_id=${id}`)).body.pagination.total_count).toBe(2);
  const { request_summary } = (await get('/requests/summary')).body;
  const counted = { key: { id, name: 'Eager' }, requests: 7, errors: 5, rate_limited: 4 };
  expect(request_summary.keys).toContainEqual(counted);
  expect(request_summary).toMatchObject({ rate_limited: 4 });
  expect(request_summary.statuses).toEqual(
    expect.arrayContaining([
      { status: 429, requests: 4 },
      { status: 401, requests: 1 },
    ]),
  );
  expect((await get('/requests/summary', other.token)).body.request_summary).toMatchObject({ rate_limited: 0 });
});

test('session checks and settings do not wait behind reports that take long', async () => {
  await world.database.query('begin');
  await world.database.query('lock table gateway.audit_entries in access exclusive mode');
  const reports = Array.from({ length: 15 }, () => get('/audit_entries'));
  const waiting = 'select count(*)::int as n from pg_locks where not granted';
  // Reports of a store run one at a time while other stores call.
  while ((await world.database.query<{ n: number }>(waiting)).rows[0]!.n < 1);
  expect((await get('/settings')).status).toBe(200);
  await world.database.query('rollback');
  for (const { status } of await Promise.all(reports)) expect(status).toBe(200);
});

test("GET /sales/by_hour counts today's completed sales by the store's hour, exactly", async () => {
  const { product } = await post('/products', { product: { name: 'Candle', price: '0.10' } });
  const sale = (more: object) =>
    post('/sales', { sale: { payment_method: 'cash', line_items: [{ product_id: product.id, quantity: 3 }], ...more } });
  const [first, second] = [(await sale({})).sale, (await sale({})).sale];
  await sale({ status: 'pending', payment_method: undefined });
  await sale({ completed_at: '2026-11-20T09:00:00Z' });
  // A week ago: one before this time of the day, one after it.
  const lastWeek = (await sale({ completed_at: '2026-11-14T09:00:00Z' })).sale;
  await sale({ completed_at: '2026-11-14T23:00:00Z' });
  const hour = { hour: 10, sales: 2, total: (Number(first.total) + Number(second.total)).toFixed(2) };
  const top = { product_id: product.id, product_name: 'Candle', quantity: 6, total: '0.60' };
  expect((await get('/sales/by_hour')).body.sale_summary).toEqual({
    ...{ day: '2026-11-21', sales: 2, total: hour.total, hours: [hour] },
    ...{ last_week_total: lastWeek.total, cash_total: hour.total, top_products: [top] },
  });
  const none = {
    sale_summary: { day: '2026-11-21', sales: 0, total: '0.00', hours: [], last_week_total: '0.00', cash_total: '0.00', top_products: [] },
  };
  expect((await get('/sales/by_hour', other.token)).body).toEqual(none);
});

test("GET /products/low_stock lists the store's products at or below their threshold", async () => {
  await post('/products', { product: { name: 'Low lantern', price: '1', low_stock_threshold: 2 } });
  const enough = (await post('/products', { product: { name: 'Enough', price: '1', low_stock_threshold: 2 } })).product;
  await post('/stock_adjustments', { product_id: enough.id, adjustment_type: 'receive', quantity_change: 3 });
  const { body } = await get('/products/low_stock');
  expect([body.total_count, body.products.map(({ name }: { name: string }) => name)]).toEqual([1, ['Low lantern']]);
  expect((await get('/products/low_stock', other.token)).body).toEqual({ products: [], total_count: 0 });
  const key = await world.newKey(world.store);
  expect((await world.call('GET', '/products/low_stock', { key })).status).toBe(403);
});

test('GET /webhook_monitor/summary counts attempts; staff replay in their store', async () => {
  const key = await world.newKey(world.store);
  // Products of the tests before are published by then: a subscription gets what is published after it.
  await world.settled();
  const webhook_subscription = { url: `${receiver.url}/counted`, events: ['product.created'] };
  const { id } = (await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } })).body.data;
  await world.call('POST', '/products', { key, body: { product: { name: 'Sent', price: '1' } } });
  await receiver.arrived('/counted', 1);
  const counted = async () => (await get('/webhook_monitor/summary')).body.delivery_summary;
  // An attempt is counted, and can be replayed, once its result is written, a moment after the receiver had it.
  const untilCounted = (attempts: number) => until(async () => (await counted()).succeeded >= attempts, 60_000);
  await untilCounted(1);
  const replay = (token: string, body: object) => world.call('POST', `/webhook_monitor/${id}/replay`, { token, body });
  expect((await replay(other.token, { after_seq: 0 })).status).toBe(404);
  const [hook] = receiver.hooks;
  const replayed = await replay(world.store.token, { event_ids: [JSON.parse(hook!.body.toString()).id] });
  expect([replayed.status, replayed.body.replayed]).toEqual([202, 1]);
  await receiver.arrived('/counted', 2);
  await untilCounted(2);
  const summary = await counted();
  expect(summary).toMatchObject({ succeeded: 2, failed: 0, hours: [{ webhook_subscription_id: id, succeeded: 2, failed: 0 }] });
  expect([summary.median_ms, summary.p95_ms]).toEqual([expect.any(Number), expect.any(Number)]);
  expect((await get('/webhook_monitor/summary', other.token)).body.delivery_summary).toMatchObject({
    succeeded: 0,
    hours: [],
    median_ms: null,
  });
});
