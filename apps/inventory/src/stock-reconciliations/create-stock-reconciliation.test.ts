import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Json, problemOf } from '@store/testbed';
import {
  caller,
  inventory,
  ledger,
  newStoreWithLocations,
  product,
  receive,
  shareInventory,
  staff,
  staffMessage,
  storeId,
} from '../../test/inventory-under-test.ts';

let places: { floor: number; back: number };
let tea: number;
let rope: number;

shareInventory();
beforeEach(async () => {
  places = await newStoreWithLocations();
  tea = product({ name: 'Tea', sku: 'T-1' });
  rope = product({ name: 'Rope' });
});

const count = async (stock_reconciliation: unknown): Promise<Json> =>
  (await inventory.body('CreateStockReconciliation', { stock_reconciliation }, staff)).stock_reconciliation;
const line = (product_id: number, counted_quantity: unknown = 1) => ({ product_id, counted_quantity });

test('D169: each line becomes the stock; its row has count and approver, also if equal', async () => {
  await inventory.adjust(receive(tea, 5), staff);
  const counted = await count({ lines: [line(tea, 5), line(rope, '2.5')], notes: 'Year end', approved_by_id: 7 });
  expect(counted).toMatchObject({ id: expect.any(Number), notes: 'Year end', created_at: '2026-11-20T12:00:00.000Z' });
  const approved_by = { id: 7, name: 'Max Manager' };
  const shared = { adjustment_type: 'inventory', notes: 'Year end', approved_by, reconciliation_id: counted.id };
  expect(counted.stock_adjustments).toMatchObject([
    { product_id: tea, quantity_before: 5, quantity_change: 0, quantity_after: 5, ...shared },
    { product_id: rope, quantity_before: 0, quantity_change: 2.5, quantity_after: 2.5, ...shared },
  ]);
  expect(await ledger('adjustment_type=inventory')).toEqual([...counted.stock_adjustments].reverse());
  expect((await inventory.events(storeId)).filter((event) => event.name === 'inventory.adjusted')).toHaveLength(3);
  expect(inventory.catalog.applied.at(-1)!.levels).toHaveLength(2);
});

test('at a location it counts what lies there', async () => {
  await inventory.adjust(receive(tea, 5, { warehouse_location_id: places.floor }), staff);
  await inventory.adjust(receive(tea, 3, { warehouse_location_id: places.back }), staff);
  const { stock_adjustments } = await count({ warehouse_location_id: places.back, lines: [line(tea)] });
  const at = { warehouse_location: { id: places.back, name: 'Cellar' } };
  expect(stock_adjustments[0]).toMatchObject({ quantity_before: 8, quantity_change: -2, quantity_after: 6, ...at });
});

test('an approver is named by the events of the gateway, in the store alone', async () => {
  await inventory.publish(staffMessage(storeId, 42, 'Olga Owner'), staffMessage(storeId + 500, 43, 'Stranger'));
  const { stock_adjustments } = await count({ lines: [line(tea)], approved_by_id: 42 });
  expect(stock_adjustments[0].approved_by).toEqual({ id: 42, name: 'Olga Owner' });
  const refused = await problemOf(count({ lines: [line(tea)], approved_by_id: 43 }));
  expect(refused.extra.errors).toEqual(['Approved by is not a member of staff']);
});

test.each<[string, () => unknown, string | RegExp]>([
  ['no lines', () => ({ notes: 'x' }), "Lines can't be blank"],
  ['lines that are a scalar', () => ({ lines: 'x' }), 'Lines is invalid'],
  ['a line that is no object', () => ({ lines: [5] }), 'Line 1 is invalid'],
  ['an empty line', () => ({ lines: [{}] }), "Line 1 product id can't be blank"],
  ['an age below zero', () => ({ lines: [{ ...line(tea), counted_seconds_ago: -1 }] }), /Line 1 counted seconds ago must be between/],
  ['a negative count', () => ({ lines: [line(tea, -1)] }), /Line 1 counted quantity must be greater/],
  ['an unknown product', () => ({ lines: [line(1)] }), 'Line 1 product not found'],
  ['an unknown location', () => ({ warehouse_location_id: 1e6, lines: [line(tea)] }), /location not found/],
  ['a product counted twice', () => ({ lines: [line(tea, 1), line(tea, 2)] }), /counted more than once/],
])('%s is a 422 and nothing is written', async (_what, body, message) => {
  const problem = await problemOf(count(body()));
  expect(problem).toMatchObject({ kind: 'invalid' });
  expect(problem.extra.errors).toEqual(expect.arrayContaining([typeof message === 'string' ? message : expect.stringMatching(message)]));
  expect(await ledger()).toEqual([]);
});

/** Last, as it moves the clock. */
describe('a line that says how long ago it was counted', () => {
  const damage = (quantity_change: number, more: object = {}) =>
    inventory.adjust({ product_id: tea, adjustment_type: 'damage', quantity_change, ...more }, staff);
  const ago = (counted_quantity: number) => ({ ...line(tea, counted_quantity), counted_seconds_ago: 30 });

  test('keeps what moved since, but no other count; a line beside it is of now', async () => {
    await inventory.adjust(receive(tea, 10), staff);
    inventory.clock.advance(60_000);
    await damage(-2);
    await count({ lines: [line(tea, 7)] });
    inventory.clock.advance(1_000);
    const { stock_adjustments } = await count({ lines: [ago(10), line(rope, 3)] });
    expect(stock_adjustments).toMatchObject([
      { quantity_before: 7, quantity_change: 1, quantity_after: 8 },
      { product_id: rope, quantity_before: 0, quantity_after: 3 },
    ]);
    expect(await inventory.stockOf(storeId, tea)).toBe(8);
  });

  test('keeps what a program took away since, but no correction by staff', async () => {
    await inventory.adjust(receive(tea, 10), staff);
    inventory.clock.advance(60_000);
    await inventory.bulk({ product_ids: [tea], updates: { stock_adjustment: { type: 'subtract', amount: 2 } } }, caller);
    await inventory.adjust({ product_id: tea, adjustment_type: 'count', quantity_change: -1 }, staff);
    inventory.clock.advance(1_000);
    const { stock_adjustments } = await count({ lines: [ago(10)] });
    expect(stock_adjustments[0]).toMatchObject({ quantity_before: 7, quantity_change: 1, quantity_after: 8 });
  });

  test('at a location keeps what moved there', async () => {
    const at = (warehouse_location_id: number) => ({ warehouse_location_id });
    await inventory.adjust(receive(tea, 5, at(places.floor)), staff);
    await inventory.adjust(receive(tea, 3, at(places.back)), staff);
    inventory.clock.advance(60_000);
    await damage(-1, at(places.floor));
    await damage(-1, at(places.back));
    const { stock_adjustments } = await count({ ...at(places.back), lines: [ago(4)] });
    expect(stock_adjustments[0]).toMatchObject({ quantity_before: 6, quantity_change: 1, quantity_after: 7 });
  });
});
