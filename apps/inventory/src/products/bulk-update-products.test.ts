import { beforeEach, expect, test } from '@jest/globals';
import { problemOf } from '@store/testbed';
import { untilAlone } from '@store/testbed/until';
import { caller, inventory, ledger, newStore, product, shareInventory, staff, storeId } from '../../test/inventory-under-test.ts';

let first: number;
let second: number;

shareInventory();
beforeEach(() => {
  newStore();
  first = product({ name: 'Lantern', price: '2.00' });
  second = product({ name: 'Tea', price: '3.00' });
});

const update = (product_ids: unknown, updates: unknown) => inventory.bulk({ product_ids, updates }, caller);
const refusal = (productIds: unknown, updates: unknown) => problemOf(update(productIds, updates));

test('spec: current_stock sets the stock: up is receive, down is count; products count', async () => {
  expect(await update([first, second], { current_stock: 5 })).toEqual({ success: true, updated_count: 2, message: '2 products updated' });
  expect(await update([first], { current_stock: '2.5' })).toEqual({ success: true, updated_count: 1, message: '1 product updated' });
  expect((await ledger()).map((row) => [row.product_id, row.adjustment_type, row.quantity_change, row.quantity_after])).toEqual([
    [first, 'count', -2.5, 2.5],
    [second, 'receive', 5, 5],
    [first, 'receive', 5, 5],
  ]);
  expect(inventory.catalog.applied.at(-1)).toEqual({ levels: [{ product_id: first, stock: '2.500', version: 2 }] });
});

test('D74: setting the same stock writes no row and no event, and counts as updated', async () => {
  await update([first], { current_stock: 5 });
  const applied = inventory.catalog.applied.length;
  expect(await update([first], { current_stock: '5.0000' })).toMatchObject({ updated_count: 1 });
  expect(await ledger()).toHaveLength(1);
  expect(await inventory.events(storeId)).toHaveLength(1);
  expect(inventory.catalog.applied).toHaveLength(applied);
});

test.each([
  ['set', 10, 4, 4],
  ['add', 10, 4, 14],
  ['subtract', 10, 4, 6],
  ['subtract', 10, 40, 0],
  ['subtract', 10, '0.001', 9.999],
  ['subtract', -3, 1, -3],
  ['set', 10, 0, 0],
])('spec: stock_adjustment %s makes %j with %j into %j', async (type, before, amount, after) => {
  await inventory.adjust({ product_id: first, adjustment_type: 'count', quantity_change: before }, caller);
  await update([first], { stock_adjustment: { type, amount } });
  expect(await inventory.stockOf(storeId, first)).toBe(after);
  expect(await ledger()).toHaveLength(before === after ? 1 : 2);
});

test('D72: with both stock keys the stock is set, then adjusted: two rows of one chain', async () => {
  await update([first], { current_stock: 10, stock_adjustment: { type: 'subtract', amount: 4 } });
  expect((await ledger()).map((row) => [row.quantity_before, row.quantity_change, row.quantity_after])).toEqual([
    [10, -4, 6],
    [0, 10, 10],
  ]);
  expect(inventory.catalog.applied.at(-1)).toEqual({ levels: [{ product_id: first, stock: '6.000', version: 2 }] });
});

test('D112: an event has the old and the new price where the request changed the price', async () => {
  await update([first, second], { price: '3', current_stock: 1 });
  const [changed, unchanged] = await inventory.events(storeId);
  expect(changed!.body.data).toMatchObject({ product_id: first, old_price: '2.00', new_price: '3.00', new_stock: 1 });
  for (const name of ['old_price', 'new_price']) expect(unchanged!.body.data).not.toHaveProperty(name);
});

test('D41: a price alone is set in catalog, rounded half-up, and writes no ledger row', async () => {
  expect(await update([first], { price: 4.005 })).toMatchObject({ success: true, updated_count: 1 });
  expect(inventory.catalog.products.get(first)!.price).toBe('4.01');
  expect(await ledger()).toEqual([]);
});

test('D71: unknown, repeated and foreign ids match nothing; "5" is 5; matches count', async () => {
  const theirs = product({ storeId: storeId + 1, name: 'Theirs' });
  const ids = [first, first, String(second), theirs, 'x', null, 999_999];
  expect(await update(ids, { current_stock: 1 })).toMatchObject({ updated_count: 2 });
  expect((await ledger()).map((row) => row.product_id)).toEqual([second, first]);
  expect((await refusal([first, theirs, 'x'], { price: -1 })).extra.body).toMatchObject({ total_count: 1 });
});

test('D71, D72: alone, 10,000 products take a statement per 100; named on failure', async () => {
  const many = Array.from({ length: 10_000 }, () => product({ name: 'n'.repeat(255) }));
  const change = { price: 5, stock_adjustment: { type: 'add', amount: 1 } };
  const before = await inventory.statementsOf(() => update(many.slice(0, 2), change));
  await untilAlone(storeId);
  // One more: so many are planned for their values.
  expect(await inventory.statementsOf(() => update(many, change))).toBe(before + 1 + 99);
  expect(await inventory.stockOf(storeId, many[0]!)).toBe(2);
  expect(await inventory.stockOf(storeId, many.at(-1)!)).toBe(1);
  expect(await inventory.events(storeId)).toHaveLength(10_002);
  const { body } = (await refusal(many, { price: -1 })).extra;
  expect(body).toMatchObject({ success: false, updated_count: 0, total_count: 10_000, errors: { length: 10_000 } });
}, 120_000);

test('catalog has 2 s for the new stock, and more for each product of many', async () => {
  const many = Array.from({ length: 200 }, () => product({}));
  await update([first], { current_stock: 5 });
  const few = inventory.catalog.appliedWithinMs;
  await update(many, { current_stock: 5 });
  expect(few).toBeLessThanOrEqual(2_010);
  expect(inventory.catalog.appliedWithinMs - few).toBeGreaterThan(1_000);
});

test('D1: missing updates are a 400, then unknown ids a 404, then no updates a 422', async () => {
  expect(await refusal([999_999], undefined)).toMatchObject({ status: 400 });
  expect(await refusal([999_999], {})).toMatchObject({ status: 404 });
  for (const updates of [{ quantity: 4 }, { stock_adjustment: null }])
    expect(await refusal([first], updates)).toMatchObject({ status: 422, message: 'No updates provided', extra: {} });
});

test('D72, D170: invalid updates fail every matched product and change nothing', async () => {
  const updates = { current_stock: [1], price: '1', stock_adjustment: { type: [], amount: 1 } };
  const problem = await refusal([first, second, 999_999], updates);
  const errors = ['Current stock is invalid', 'Stock adjustment type is invalid'];
  expect(problem.kind).toBe('invalid');
  const failed = Object.entries({ Lantern: first, Tea: second }).map(([name, id]) => ({ id, name, errors }));
  expect(problem.extra.body).toEqual({ success: false, updated_count: 0, total_count: 2, errors: failed });
  expect(await ledger()).toEqual([]);
  expect(inventory.catalog.products.get(first)!.price).toBe('2.00');
});

test('a stock that would outgrow its column fails that product alone, as a whole', async () => {
  await update([first], { current_stock: '99999999999' });
  const problem = await refusal([first, second], { stock_adjustment: { type: 'add', amount: 5 } });
  expect(problem.extra.body).toMatchObject({ updated_count: 1, errors: [{ id: first, errors: ['Current stock is too large'] }] });
  expect([await inventory.stockOf(storeId, first), await inventory.stockOf(storeId, second)]).toEqual([99999999999, 5]);
});

test("D170, D185: a half-saved request's refusal is replayed, and saves nothing again", async () => {
  const keyed = { ...caller, idempotency: { key: 'k', hash: Buffer.from('same') } };
  const parent = product({ name: 'Shirts', hasVariations: true });
  const body = { product_ids: [first, parent], updates: { price: 5, stock_adjustment: { type: 'add', amount: 2 } } };
  const attempts = [];
  for (let i = 0; i < 3; i++) attempts.push(await problemOf(inventory.bulk(body, keyed)));
  const errors = [{ id: parent, name: 'Shirts', errors: [expect.stringMatching(/variation/i)] }];
  const refused = { success: false, updated_count: 1, total_count: 2, errors };
  expect(attempts.map((problem) => problem.extra.body)).toEqual(Array(3).fill(refused));
  expect(attempts[2]!.extra.headers).toEqual({ 'Idempotency-Replayed': 'true' });
  expect(await inventory.stockOf(storeId, first)).toBe(2);
  for (const id of [first, parent]) expect(inventory.catalog.products.get(id)!.price).toBe('5.00');
});

test('D73: the ledger names the admin behind the key, and staff as themselves', async () => {
  await update([first], { current_stock: 1 });
  await inventory.bulk({ product_ids: [first], updates: { current_stock: 2 } }, staff);
  expect((await ledger()).map((row) => row.user?.name)).toEqual(['Max Manager', 'Ada Admin']);
});
