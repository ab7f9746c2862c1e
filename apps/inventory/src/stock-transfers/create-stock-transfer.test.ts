import { beforeEach, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { inventory, ledger, newStoreWithLocations, product, receive, shareInventory, staff } from '../../test/inventory-under-test.ts';

let places: { from_location_id: number; to_location_id: number };
let tea: number;

shareInventory();
beforeEach(async () => {
  const { floor, back } = await newStoreWithLocations();
  places = { from_location_id: back, to_location_id: floor };
  tea = product({ name: 'Tea', sku: 'T-1' });
});

const move = async (stock_transfer: object): Promise<Json> =>
  (await inventory.body('CreateStockTransfer', { stock_transfer }, staff)).stock_transfer.stock_adjustments;

test('D169: stock moves by a transfer_out and a transfer_in row; the whole stock stays', async () => {
  await inventory.adjust(receive(tea, 5, { warehouse_location_id: places.from_location_id }), staff);
  const notes = 'Refill';
  expect(await move({ product_id: tea, quantity: 2, ...places, notes })).toMatchObject([
    { adjustment_type: 'transfer_out', quantity_before: 5, quantity_change: -2, warehouse_location: { name: 'Cellar' }, notes },
    { adjustment_type: 'transfer_in', quantity_change: 2, quantity_after: 5, warehouse_location: { name: 'Shop' }, notes },
  ]);
  expect(await inventory.adjust(receive(tea, 1), staff)).toMatchObject({ quantity_after: 6, floor_stock: 2, back_stock: 4 });
});

test.each<[string, () => object, number, string]>([
  ['a quantity of 0', () => ({ quantity: 0 }), 422, 'Quantity must be greater than 0'],
  ['a negative quantity', () => ({ quantity: -1 }), 422, 'Quantity must be greater than or equal to 0'],
  ['a quantity that is an object', () => ({ quantity: {} }), 422, 'Quantity is invalid'],
  ['no product', () => ({ product_id: null }), 422, "Product id can't be blank"],
  ['an unknown location', () => ({ to_location_id: 999_999 }), 422, 'Warehouse location not found'],
  ['the same location', () => ({ to_location_id: places.from_location_id }), 422, 'To location id must be another location'],
  ['a bundle', () => ({ product_id: product({ productType: 'bundle' }) }), 422, 'Warehouse location is not allowed for bundle products'],
  ['a parent', () => ({ product_id: product({ hasVariations: true }) }), 422, 'adjust the stock of a variation'],
  ['an unknown product', () => ({ product_id: 999_999 }), 404, 'Product not found'],
])('%s is refused and moves nothing', async (_what, changes, status, message) => {
  const refused = await inventory.refusal(move({ product_id: tea, quantity: 1, ...places, ...changes() }));
  expect(refused).toMatchObject({ status, error: expect.stringContaining(message) });
  expect(await ledger()).toEqual([]);
});
