import { expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

test('a product created with a key is read back in the envelope', async () => {
  const created = await world.call('POST', '/products', { key, body: { product: { name: 'Lantern', sku: 'L-1', price: 3.394 } } });
  expect(created.status).toBe(201);
  expect(created.body.data).toMatchObject({ name: 'Lantern', sku: 'L-1', price: '3.39', current_stock: 0, in_stock: false });
  expect(Object.keys(created.body)).toEqual(['data', 'meta']);
  const list = await world.call('GET', '/products', { key });
  expect(list.body.data).toEqual([created.body.data]);
  expect(list.body.pagination).toEqual({ current_page: 1, per_page: 25, total_count: 1, total_pages: 1 });
  expect(list.body.meta).toEqual({ request_id: list.headers.get('x-request-id'), timestamp: '2026-11-21T09:30:00.000Z' });
});
