/** Specification: PATCH /products/bulk_update (D71, D170). */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);
const get = (path: string) => world.call('GET', path, { key });
const create = async (product: object) => (await world.call('POST', '/products', { key, body: { product } })).body.data;
const upsert = (products: unknown[]) => world.call('POST', '/products/bulk_upsert', { key, body: { products } });
const bulk = (ids: unknown[], updates: unknown) =>
  world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: ids, updates } });

describe('PATCH /products/bulk_update', () => {
  test('D170: "If any product failed: 422 with an unwrapped body"; saved ones remain', async () => {
    const simple = await create({ name: 'Fine' });
    const parent = await world.create('/products', { product: { name: 'Parent', product_type: 'variable' } });
    await world.create('/products', { product: { name: 'Child', option_label: 'c', parent_id: parent.id, product_type: 'variation' } });
    const answer = await bulk([simple.id, parent.id], { price: 5, current_stock: 3 });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      success: false,
      updated_count: 1,
      total_count: 2,
      errors: [{ id: parent.id, name: 'Parent', errors: [expect.stringMatching(/variation/i)] }],
    });
    expect((await get(`/products/${simple.id}`)).body.data).toMatchObject({ price: '5.00', current_stock: 3 });
    expect((await get(`/products/${parent.id}`)).body.data).toMatchObject({ price: '5.00', current_stock: 0 });
  });
});

test('D71: 2,000 products get price and stock in one request, shown by the next read', async () => {
  const rows = (batch: number) => Array.from({ length: 1_000 }, (_, n) => ({ sku: `M-${batch}-${n}`, name: `Many ${batch}-${n}` }));
  for (const batch of [1, 2]) expect((await upsert(rows(batch))).status).toBe(200);
  const skus = ['M-1-0', 'M-1-999', 'M-2-999'];
  const [first, middle, last] = await Promise.all(
    skus.map(async (sku) => (await get(`/products?search=${sku}`)).body.data.find((product: { sku: string }) => product.sku === sku).id),
  );
  const ids = Array.from({ length: 2_000 }, (_, n) => first + n);
  expect(ids).toEqual(expect.arrayContaining([middle, last]));
  const answer = await bulk(ids, { price: '7.50', stock_adjustment: { type: 'add', amount: 2 } });
  expect([answer.status, answer.body.data]).toEqual([200, { success: true, updated_count: 2_000, message: '2000 products updated' }]);
  for (const id of [first, middle, last]) {
    expect((await get(`/products/${id}`)).body.data).toMatchObject({ price: '7.50', current_stock: 2 });
  }
  const refused = await bulk(ids, { price: -1 });
  expect([refused.status, refused.body.total_count, refused.body.errors.length]).toEqual([422, 2_000, 2_000]);
}, 120_000);
