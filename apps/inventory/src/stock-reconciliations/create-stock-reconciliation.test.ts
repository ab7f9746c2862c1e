import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { problemOf } from '@store/testbed';
import { inventory, newStore, product, shareInventory, storeId } from '../../test/shared-inventory.ts';
import { asStaff, type ReconciliationJson } from '../../test/start-inventory.ts';

let staff: Caller;
let floor: number;
let back: number;
let tea: number;
let rope: number;

shareInventory();
/** A store of its own that tracks stock by location, with two locations and two products. */
beforeEach(async () => {
  newStore();
  staff = asStaff(storeId, { features: new Set(['stock_locations']) });
  floor = await location('Shop', 'floor');
  back = await location('Cellar', 'back');
  tea = product({ name: 'Tea', sku: 'T-1' });
  rope = product({ name: 'Rope' });
});

const location = async (name: string, kind: string) => (await inventory.addLocation(name, kind, staff)).id;
const receive = (id: number, quantity: number, at?: number) =>
  inventory.adjust({ product_id: id, adjustment_type: 'receive', quantity_change: quantity, warehouse_location_id: at ?? null }, staff);
const count = (body: unknown): Promise<ReconciliationJson> =>
  inventory.body('CreateStockReconciliation', { stock_reconciliation: body }, staff);

describe('POST /stock_reconciliations (D169)', () => {
  test('each line becomes the stock; its ledger row carries the count and its approver, also where nothing differs', async () => {
    await receive(tea, 5);
    const lines = [
      { product_id: tea, counted_quantity: 5 },
      { product_id: rope, counted_quantity: '2.5' },
    ];
    const { stock_reconciliation } = await count({ lines, notes: 'Year end', approved_by_id: 7 });
    expect(stock_reconciliation).toMatchObject({ id: expect.any(Number), notes: 'Year end', created_at: '2026-11-20T12:00:00.000Z' });
    const expected = [
      { product_id: tea, quantity_before: 5, quantity_change: 0, quantity_after: 5 },
      { product_id: rope, quantity_before: 0, quantity_change: 2.5, quantity_after: 2.5 },
    ].map((row) => ({
      ...row,
      adjustment_type: 'inventory',
      notes: 'Year end',
      approved_by: { id: 7, name: 'Max Manager' },
      reconciliation_id: stock_reconciliation.id,
    }));
    expect(stock_reconciliation.stock_adjustments).toMatchObject(expected);
    const { stock_adjustments } = await inventory.list('adjustment_type=inventory', staff);
    expect(stock_adjustments).toEqual([...stock_reconciliation.stock_adjustments].reverse());
    expect((await inventory.events(storeId)).filter((event) => event.name === 'inventory.adjusted')).toHaveLength(3);
    expect(inventory.catalog.applied.at(-1)!.levels).toHaveLength(2);
  });

  test('at a location it counts what lies there', async () => {
    await receive(tea, 5, floor);
    await receive(tea, 3, back);
    const { stock_reconciliation } = await count({ warehouse_location_id: back, lines: [{ product_id: tea, counted_quantity: 1 }] });
    expect(stock_reconciliation.stock_adjustments[0]).toMatchObject({
      quantity_before: 8,
      quantity_change: -2,
      quantity_after: 6,
      warehouse_location: { id: back, name: 'Cellar' },
    });
  });

  test.each<[string, (ids: { tea: number }) => unknown, string | RegExp]>([
    ['no lines', () => ({ notes: 'x' }), "Lines can't be blank"],
    ['lines that are a scalar', () => ({ lines: 'x' }), 'Lines is invalid'],
    ['a line that is no object', () => ({ lines: [5] }), 'Line 1 is invalid'],
    ['an empty line', () => ({ lines: [{}] }), "Line 1 product id can't be blank"],
    [
      'a negative count',
      ({ tea: id }) => ({ lines: [{ product_id: id, counted_quantity: -1 }] }),
      /Line 1 counted quantity must be greater/,
    ],
    ['an unknown product', () => ({ lines: [{ product_id: 1, counted_quantity: 1 }] }), 'Line 1 product not found'],
    [
      'an unknown location',
      ({ tea: id }) => ({ warehouse_location_id: 1e6, lines: [{ product_id: id, counted_quantity: 1 }] }),
      /location not found/,
    ],
    ['an unknown approver', ({ tea: id }) => ({ approved_by_id: 999, lines: [{ product_id: id, counted_quantity: 1 }] }), /Approved by/],
    [
      'a product counted twice',
      ({ tea: id }) => ({ lines: [1, 2].map((counted_quantity) => ({ product_id: id, counted_quantity })) }),
      /counted more than once/,
    ],
  ])('%s is a 422 and nothing is written', async (_what, body, message) => {
    const problem = await problemOf(count(body({ tea })));
    expect(problem).toMatchObject({ kind: 'invalid' });
    expect(problem.extra.errors).toEqual(expect.arrayContaining([typeof message === 'string' ? message : expect.stringMatching(message)]));
    expect((await inventory.list('', staff)).pagination.total_count).toBe(0);
  });

  test.each([{}, { stock_reconciliation: {} }, { stock_reconciliation: 5 }])('the body %j is a 400', async (body) => {
    await expect(inventory.body('CreateStockReconciliation', body, staff)).rejects.toMatchObject({ kind: 'missing_parameter' });
  });
});
