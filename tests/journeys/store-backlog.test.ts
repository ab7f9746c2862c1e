/** D258: what a store may have waiting in an outbox. */
import { expect, test } from '@jest/globals';
import { pauseRelays, resumeRelays } from '@store/events';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

async function wait(schema: string, rows: number): Promise<void> {
  await world.database.query(
    `insert into ${schema}.outbox (event_id, store_id, name, aggregate, actor, request_id, created_at)
     select gen_random_uuid(), $1, 'backlog.row', n % 50, '{"type":"system","key":null,"user":null}', 'backlog', clock_timestamp()
     from generate_series(1, $2::int) n`,
    [world.store.id, rows],
  );
}

const upsert = (query = '', asked = key, headers = {}) =>
  world.call('POST', `/products/bulk_upsert${query}`, { key: asked, headers, body: { products: [{ sku: 'B-1', name: 'Lantern' }] } });
const refused = {
  status: 503,
  body: { error: 'Too many changes of this store wait to be published. Retry later.' },
};

test('above 20,000 waiting rows bulk endpoints of the store alone answer 503', async () => {
  const product = (await world.call('POST', '/products', { key, body: { product: { name: 'One', sku: 'O-1' } } })).body.data;
  const repeated = { 'Idempotency-Key': 'before-the-backlog' };
  expect((await upsert('', key, repeated)).status).toBe(200);
  const brand = await world.create('/brands', { brand: { name: 'A' } });
  await world.settled();
  await pauseRelays(world.database);
  await wait('catalog', 20_000);
  expect((await upsert()).status).toBe(200);

  await wait('catalog', 1);
  const answer = await upsert();
  expect(answer).toMatchObject(refused);
  expect(answer.body).toEqual(refused.body);
  expect([answer.headers.get('retry-after'), answer.headers.get('x-error-code')]).toEqual(['5', 'backlog']);
  expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
  // A dry run writes its events too, before it takes them back.
  expect(await upsert('?dry_run=true')).toMatchObject(refused);
  // One that was done is answered as before, and a refusal is not kept.
  expect((await upsert('', key, repeated)).headers.get('idempotency-replayed')).toBe('true');
  expect(await upsert('', key, { 'Idempotency-Key': 'within-the-backlog' })).toMatchObject(refused);
  // The price of bulk_update is written in catalog, its stock in inventory: each has an outbox of its own.
  const bulk = (updates: object) => world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: [product.id], updates } });
  expect(await bulk({ price: '2.00' })).toMatchObject(refused);
  expect((await bulk({ current_stock: 3 })).status).toBe(200);
  const rename = { token: world.store.token, body: { brand: { name: 'B' } } };
  expect(await world.call('PATCH', `/brands/${brand.id}`, rename)).toMatchObject(refused);

  expect((await world.call('POST', '/products', { key, body: { product: { name: 'Two' } } })).status).toBe(201);
  const other = await world.newStore();
  expect((await upsert('', await world.newKey(other))).status).toBe(200);

  await resumeRelays(world.database);
  await world.settled();
  expect((await upsert('', key, { 'Idempotency-Key': 'within-the-backlog' })).status).toBe(200);
  expect((await upsert('?dry_run=true')).status).toBe(200);
  expect((await bulk({ price: '2.00' })).status).toBe(200);
});
