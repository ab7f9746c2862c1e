/** Specification: Stock adjustments, and D101 to D112 where the answer through the gateway shows them. */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store, { name: 'Ledger' });

const post = (body: object) => world.call('POST', '/stock_adjustments', { key, body });
let names = 0;
const newProduct = (fields: object = {}) =>
  world.create('/products', { product: { name: `Stocked ${++names}`, sku: `SA-${names}`, ...fields } });

describe('POST /stock_adjustments', () => {
  test('D173: an inactive product is adjusted, a deleted one is 404', async () => {
    const inactive = await newProduct({ active: false });
    expect((await post({ product_id: inactive.id, adjustment_type: 'receive', quantity_change: 1 })).status).toBe(201);
    const deleted = await newProduct();
    await world.staff('DELETE', `/products/${deleted.id}`);
    expect((await post({ product_id: deleted.id, adjustment_type: 'receive', quantity_change: 1 })).status).toBe(404);
  });

  test("D106: a product with variations is a 422; its variation's stock is in the sum", async () => {
    const parent = await newProduct({ product_type: 'variable' });
    const child = await newProduct({ product_type: 'variation', parent_id: parent.id, option_label: 'c' });
    expect((await post({ product_id: parent.id, adjustment_type: 'receive', quantity_change: 1 })).status).toBe(422);
    expect((await post({ product_id: child.id, adjustment_type: 'receive', quantity_change: 4 })).status).toBe(201);
    expect((await world.call('GET', `/products/${parent.id}`, { key })).body.data.current_stock).toBe(4);
  });
});

describe('GET /stock_adjustments', () => {
  test('the ledger row in the spec\'s order; user is "the admin who created the key"', async () => {
    const product = await newProduct();
    await post({ product_id: product.id, adjustment_type: 'damage', quantity_change: -1, reason: 'Broken' });
    const [row] = (await world.call('GET', `/stock_adjustments?product_id=${product.id}`, { key })).body.data;
    expect(Object.entries(row)).toEqual([
      ['id', expect.any(Number)],
      ['product_id', product.id],
      ['product_name', product.name],
      ['sku', product.sku],
      ['adjustment_type', 'damage'],
      ['quantity_change', -1],
      ['quantity_before', 0],
      ['quantity_after', -1],
      ['reason', 'Broken'],
      ['notes', null],
      ['user', { id: expect.any(Number), name: 'Ada Admin' }],
      ['approved_by', null],
      ['warehouse_location', null],
      ['reconciliation_id', null],
      ['created_at', expect.stringMatching(/Z$/)],
    ]);
  });
});
