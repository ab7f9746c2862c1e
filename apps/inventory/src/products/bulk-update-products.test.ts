import { beforeEach, describe, expect, test } from '@jest/globals';
import { problemOf } from '@store/testbed';
import { caller, inventory, newStore, product, shareInventory, storeId } from '../../test/shared-inventory.ts';
import { asStaff } from '../../test/start-inventory.ts';

let first: number;
let second: number;

shareInventory();
/** A store of its own with two products. */
beforeEach(() => {
  newStore();
  first = product({ name: 'Lantern', price: '2.00' });
  second = product({ name: 'Tea', price: '3.00' });
});

const update = (productIds: unknown, updates: unknown) => inventory.bulk({ product_ids: productIds, updates }, caller);
const refusal = (productIds: unknown, updates: unknown) => problemOf(update(productIds, updates));
const ledger = async () => (await inventory.list('', caller)).stock_adjustments;

describe('PATCH /products/bulk_update', () => {
  test('spec: current_stock sets the stock, an increase is receive and a decrease count; the answer counts the products', async () => {
    expect(await update([first, second], { current_stock: 5 })).toEqual({ success: true, updated_count: 2, message: '2 products updated' });
    expect(await update([first], { current_stock: '2.5' })).toEqual({ success: true, updated_count: 1, message: '1 product updated' });
    expect((await ledger()).map((row) => [row.product_id, row.adjustment_type, row.quantity_change, row.quantity_after])).toEqual([
      [first, 'count', -2.5, 2.5],
      [second, 'receive', 5, 5],
      [first, 'receive', 5, 5],
    ]);
    expect(inventory.catalog.applied.at(-1)).toEqual({ levels: [{ product_id: first, stock: '2.500', version: 2 }] });
  });

  test('D74: setting the stock that is there writes no row and no event, and counts as updated', async () => {
    await update([first], { current_stock: 5 });
    const applied = inventory.catalog.applied.length;
    expect(await update([first], { current_stock: '5.0000' })).toMatchObject({ updated_count: 1 });
    expect(await ledger()).toHaveLength(1);
    expect(await inventory.events(storeId)).toHaveLength(1);
    expect(inventory.catalog.applied).toHaveLength(applied);
  });

  test.each([
    ['set', 4, 4],
    ['add', 4, 14],
    ['subtract', 4, 6],
    ['subtract', 40, 0],
    ['subtract', '0.001', 9.999],
    ['set', 0, 0],
  ])('spec: stock_adjustment %s %j makes 10 into %j; subtract never goes below zero', async (type, amount, expected) => {
    await update([first], { current_stock: 10 });
    await update([first], { stock_adjustment: { type, amount } });
    expect(await inventory.stockOf(storeId, first)).toBe(expected);
    const [row] = await ledger();
    expect(row!.quantity_before + row!.quantity_change).toBeCloseTo(row!.quantity_after, 6);
  });

  test('subtract leaves a stock that is below zero already where it is', async () => {
    await inventory.adjust({ product_id: first, adjustment_type: 'damage', quantity_change: -3 }, caller);
    await update([first], { stock_adjustment: { type: 'subtract', amount: 1 } });
    expect(await inventory.stockOf(storeId, first)).toBe(-3);
    expect(await ledger()).toHaveLength(1);
  });

  test('D72: with both stock keys the stock is set, then adjusted: two rows of one chain', async () => {
    await update([first], { current_stock: 10, stock_adjustment: { type: 'subtract', amount: 4 } });
    expect((await ledger()).map((row) => [row.quantity_before, row.quantity_change, row.quantity_after])).toEqual([
      [10, -4, 6],
      [0, 10, 10],
    ]);
    expect(inventory.catalog.applied.at(-1)).toEqual({ levels: [{ product_id: first, stock: '6.000', version: 2 }] });
  });

  test('D112: price and stock together put the old and the new price on the event; an unchanged price does not', async () => {
    await update([first, second], { price: '3', current_stock: 1 });
    const events = await inventory.events(storeId);
    expect(events[0]!.body!.data).toMatchObject({ product_id: first, old_price: '2.00', new_price: '3.00', new_stock: 1 });
    expect(events[1]!.body!.data).not.toHaveProperty('old_price');
    expect(events[1]!.body!.data).not.toHaveProperty('new_price');
  });

  test('a price alone is set in catalog, rounded half-up (D41), and writes no ledger row', async () => {
    expect(await update([first], { price: 4.005 })).toMatchObject({ success: true, updated_count: 1 });
    expect(inventory.catalog.products.get(first)!.price).toBe('4.01');
    expect(await ledger()).toEqual([]);
  });

  test.each([
    ['missing', undefined],
    ['a number', 1],
    ['a string', '1'],
    ['an object', {}],
    ['null', null],
    ['an empty array', []],
  ])('spec: product_ids %s is 422 No products selected', async (_what, productIds) => {
    await expect(update(productIds, { price: 1 })).rejects.toMatchObject({ kind: 'invalid', message: 'No products selected', extra: {} });
  });

  test.each([[[999_999]], [['abc', null, {}, [], true, 1.5, '1e3', -1, '99999999999999999999', '\u0000']]])(
    'spec: ids that match nothing (%j) are 404 No products found',
    async (productIds) => {
      await expect(update(productIds, { price: 1 })).rejects.toMatchObject({ kind: 'not_found', message: 'No products found', extra: {} });
    },
  );

  test('D71: unknown, repeated and another store\'s ids match nothing, "5" counts as 5, and total_count is what matched', async () => {
    const theirs = product({ storeId: storeId + 1, name: 'Theirs' });
    expect(await update([first, first, String(second), theirs, 'x', null, 999_999], { current_stock: 1 })).toMatchObject({
      updated_count: 2,
    });
    expect((await ledger()).map((row) => row.product_id)).toEqual([second, first]);
    const problem = await refusal([first, theirs, 'x'], { price: -1 });
    expect(problem.extra.body).toMatchObject({ total_count: 1 });
  });

  test('D71: 10,000 products are changed in one transaction of a handful of statements; 10,001 are a 422 and nothing is asked or written', async () => {
    const many = Array.from({ length: 10_000 }, () => product());
    const change = { price: 5, stock_adjustment: { type: 'add', amount: 1 } };
    const before = await inventory.statementsOf(() => update(many.slice(0, 2), change));
    // One more: so many are planned for their values.
    expect(await inventory.statementsOf(() => update(many, change))).toBe(before + 1);
    expect(await inventory.stockOf(storeId, many[0]!)).toBe(2);
    expect(await inventory.stockOf(storeId, many.at(-1)!)).toBe(1);
    expect(await inventory.events(storeId)).toHaveLength(10_002);
    const asked = inventory.catalog.asked;
    await expect(update([...many, first], { price: 1 })).rejects.toMatchObject({
      kind: 'invalid',
      message: 'at most 10000 products per request',
    });
    expect(inventory.catalog.asked).toBe(asked);
  }, 120_000);

  test('D72: 10,000 products that fail are all named in the answer', async () => {
    const many = Array.from({ length: 10_000 }, () => product({ name: 'n'.repeat(255) }));
    const problem = await refusal(many, { price: -1 });
    expect(problem.extra.body).toMatchObject({ success: false, updated_count: 0, total_count: 10_000 });
    expect(problem.extra.body!.errors).toHaveLength(10_000);
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['a scalar', 'x'],
    ['an array', [1]],
  ])('D72: updates %s are 400, whether or not the ids match anything', async (_what, updates) => {
    const missing = { kind: 'missing_parameter', message: 'param is missing or the value is empty: updates' };
    await expect(update([first], updates)).rejects.toMatchObject(missing);
    await expect(update([999_999], updates)).rejects.toMatchObject(missing);
  });

  test.each([
    ['empty', {}],
    ['of unknown keys only', { name: 'x', quantity: 4 }],
    ['a null stock_adjustment', { stock_adjustment: null }],
  ])('D72: updates %s are 422 No updates provided', async (_what, updates) => {
    await expect(update([first], updates)).rejects.toMatchObject({ kind: 'invalid', message: 'No updates provided', extra: {} });
    await expect(update([999_999], updates)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test.each([
    ['a negative price', { price: -0.01 }, 'Price must be greater than or equal to 0'],
    ['a price that is no number', { price: 'abc' }, 'Price is not a number'],
    ['a price that is null', { price: null }, "Price can't be blank"],
    ['a price that is an object', { price: {} }, 'Price is invalid'],
    ['a price beyond its column', { price: '1e12' }, 'Price is too large'],
    ['a negative stock', { current_stock: -1 }, 'Current stock must be greater than or equal to 0'],
    ['a stock that is an array', { current_stock: [1] }, 'Current stock is invalid'],
    ['an unknown adjustment', { stock_adjustment: { type: 'zero', amount: 1 } }, 'Stock adjustment type must be one of set, add, subtract'],
    ['an adjustment without type', { stock_adjustment: { amount: 1 } }, 'Stock adjustment type must be one of set, add, subtract'],
    ['an adjustment without amount', { stock_adjustment: { type: 'add' } }, "Stock adjustment amount can't be blank"],
    ['a negative amount', { stock_adjustment: { type: 'add', amount: -1 } }, 'Stock adjustment amount must be greater than or equal to 0'],
    ['an endless amount', { stock_adjustment: { type: 'set', amount: '1e999' } }, 'Stock adjustment amount is too large'],
    [
      'an amount that rounds to nothing (D166)',
      { stock_adjustment: { type: 'add', amount: 0.0001 } },
      'Stock adjustment amount must not be zero',
    ],
    ['nested garbage', { stock_adjustment: { type: [], amount: {} } }, 'Stock adjustment type is invalid'],
    ['a scalar adjustment', { stock_adjustment: 'add' }, 'Stock adjustment is invalid'],
  ])('D72, D170: %s fails every matched product in the documented body and changes nothing', async (_what, updates, message) => {
    const problem = await refusal([first, second, 999_999], { current_stock: 3, ...updates });
    expect(problem.kind).toBe('invalid');
    expect(problem.extra.body).toEqual({
      success: false,
      updated_count: 0,
      total_count: 2,
      errors: [
        { id: first, name: 'Lantern', errors: expect.arrayContaining([message]) },
        { id: second, name: 'Tea', errors: expect.arrayContaining([message]) },
      ],
    });
    expect(await ledger()).toEqual([]);
    expect(inventory.catalog.products.get(first)!.price).toBe('2.00');
  });

  test('spec: products that saved remain saved when another fails; D170: of a parent the price is set, the stock refused', async () => {
    const parent = product({ name: 'Shirts', hasVariations: true, price: '1.00' });
    const problem = await refusal([first, parent], { price: 9, current_stock: 3 });
    expect(problem.extra.body).toEqual({
      success: false,
      updated_count: 1,
      total_count: 2,
      errors: [{ id: parent, name: 'Shirts', errors: [expect.stringMatching(/adjust the stock of a variation/)] }],
    });
    expect(await inventory.stockOf(storeId, first)).toBe(3);
    expect(inventory.catalog.products.get(parent)!.price).toBe('9.00');
    expect(inventory.catalog.applied.at(-1)).toEqual({ levels: [{ product_id: first, stock: '3.000', version: 1 }] });
  });

  test('a stock that would outgrow its column fails that product whole and leaves the others saved', async () => {
    await update([first], { current_stock: '99999999999' });
    const problem = await refusal([first, second], { stock_adjustment: { type: 'add', amount: 5 } });
    expect(problem.extra.body).toMatchObject({ updated_count: 1, errors: [{ id: first, errors: ['Current stock is too large'] }] });
    expect(await inventory.stockOf(storeId, first)).toBe(99999999999);
    expect(await inventory.stockOf(storeId, second)).toBe(5);
  });

  test('D185: an Idempotency-Key adds once; the refusal of a half-saved request is replayed too, and saves nothing again', async () => {
    const keyed = { ...caller, idempotency: { key: 'k', hash: Buffer.from('same') } };
    const parent = product({ name: 'Shirts', hasVariations: true });
    const body = { product_ids: [first, parent], updates: { stock_adjustment: { type: 'add', amount: 2 } } };
    const attempts = [];
    for (let i = 0; i < 3; i++) attempts.push(await problemOf(inventory.bulk(body, keyed)));
    expect(attempts.map((problem) => problem.extra.body)).toEqual(Array(3).fill(expect.objectContaining({ updated_count: 1 })));
    expect(attempts[2]!.extra.headers).toEqual({ 'Idempotency-Replayed': 'true' });
    expect(await inventory.stockOf(storeId, first)).toBe(2);
  });

  test('D73: the ledger names the admin behind the key, and staff as themselves', async () => {
    await update([first], { current_stock: 1 });
    await inventory.bulk({ product_ids: [first], updates: { current_stock: 2 } }, asStaff(storeId));
    expect((await ledger()).map((row) => row.user?.name)).toEqual(['Max Manager', 'Ada Admin']);
  });
});
