import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { inventory, newStore, product, shareInventory, storeId } from '../../test/shared-inventory.ts';
import { type AdjustmentJson, asStaff } from '../../test/start-inventory.ts';

let staff: Caller;
let floor: number;
let back: number;
let tea: number;

shareInventory();
/** A store of its own that tracks stock by location, with two locations and a product. */
beforeEach(async () => {
  newStore();
  staff = asStaff(storeId, { features: new Set(['stock_locations']) });
  floor = await location('Shop', 'floor');
  back = await location('Cellar', 'back');
  tea = product({ name: 'Tea', sku: 'T-1' });
});

const location = async (name: string, kind: string) => (await inventory.addLocation(name, kind, staff)).id;
const receive = (id: number, quantity: number, at?: number) =>
  inventory.adjust({ product_id: id, adjustment_type: 'receive', quantity_change: quantity, warehouse_location_id: at ?? null }, staff);
const move = (body: unknown): Promise<{ stock_transfer: { stock_adjustments: AdjustmentJson[] } }> =>
  inventory.body('CreateStockTransfer', { stock_transfer: body }, staff);

describe('POST /stock_transfers (D169)', () => {
  test('moves stock between locations with a transfer_out and a transfer_in row; the whole stock stays', async () => {
    await receive(tea, 5, back);
    const { stock_transfer } = await move({ product_id: tea, quantity: 2, from_location_id: back, to_location_id: floor, notes: 'Refill' });
    expect(stock_transfer.stock_adjustments).toMatchObject([
      {
        adjustment_type: 'transfer_out',
        quantity_before: 5,
        quantity_change: -2,
        quantity_after: 3,
        warehouse_location: { name: 'Cellar' },
      },
      { adjustment_type: 'transfer_in', quantity_before: 3, quantity_change: 2, quantity_after: 5, warehouse_location: { name: 'Shop' } },
    ]);
    expect(stock_transfer.stock_adjustments[0]?.notes).toBe('Refill');
    expect((await receive(tea, 1)).stock_adjustment).toMatchObject({ quantity_after: 6, floor_stock: 2, back_stock: 4 });
  });

  test.each<[string, object, string]>([
    ['nothing but a note', { notes: 'x' }, "Product id can't be blank"],
    ['a quantity of 0', { quantity: 0 }, 'Quantity must be greater than 0'],
    ['a negative quantity', { quantity: -1 }, 'Quantity must be greater than or equal to 0'],
    ['an unknown location', { to_location_id: 999_999 }, 'Warehouse location not found'],
    ['a quantity that is an object', { quantity: {} }, 'Quantity is invalid'],
  ])('%s is a 422 and moves nothing', async (_what, changes, message) => {
    const whole = { product_id: tea, quantity: 1, from_location_id: back, to_location_id: floor, ...changes };
    const body = 'notes' in changes ? changes : whole;
    await expect(move(body)).rejects.toMatchObject({ kind: 'invalid', extra: { errors: expect.arrayContaining([message]) } });
    expect((await inventory.list('', staff)).pagination.total_count).toBe(0);
  });

  test('to the same location, of a bundle or of a parent is a 422; of an unknown product a 404; without its wrapper a 400', async () => {
    const places = { from_location_id: back, to_location_id: floor, quantity: 1 };
    await expect(move({ ...places, product_id: tea, to_location_id: back })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(move({ ...places, product_id: product({ productType: 'bundle' }) })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(move({ ...places, product_id: product({ hasVariations: true }) })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(move({ ...places, product_id: 999_999 })).rejects.toMatchObject({ kind: 'not_found', message: 'Product not found' });
    await expect(inventory.body('CreateStockTransfer', {}, staff)).rejects.toMatchObject({ kind: 'missing_parameter' });
  });
});
