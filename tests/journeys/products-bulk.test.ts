/** Specification: PATCH /products/bulk_update (D170). */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);
const get = (path: string) => world.call('GET', path, { key });
const create = async (product: object) => (await world.call('POST', '/products', { key, body: { product } })).body.data;
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
