import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asStaff, callerOf, type InventoryUnderTest, type ListJson, startInventory } from '../../test/start-inventory.ts';
import { compactCounts } from './adjustment-counts.ts';

const storeId = 1;
const caller = callerOf(storeId);
let inventory: InventoryUnderTest;
let shop: number;

/** Three adjustments, a second apart, then two at the same instant. */
beforeAll(async () => {
  inventory = await startInventory();
  inventory.catalog.products.set(1, { storeId, name: 'White metal lantern', sku: '71053' });
  inventory.catalog.products.set(2, { storeId, name: 'Loose tea' });
  inventory.catalog.products.set(9, { storeId: 2, name: 'Theirs' });
  shop = (await inventory.addLocation('Shop', 'floor', asStaff(storeId))).id;
  const adjust = (fields: object, by = caller) =>
    inventory.adjust({ product_id: 1, adjustment_type: 'receive', quantity_change: 1, ...fields }, by);
  inventory.clock.set('2026-11-20T12:00:00.000Z');
  await adjust({ quantity_change: '2.125', reason: 'Delivery', warehouse_location_id: shop });
  inventory.clock.set('2026-11-20T12:00:01.000Z');
  await adjust({ product_id: 2 });
  inventory.clock.set('2026-11-20T12:00:02.000Z');
  await adjust({ adjustment_type: 'damage', quantity_change: -1 }, asStaff(storeId));
  inventory.clock.set('2026-11-20T12:00:03.000Z');
  await adjust({});
  await adjust({ product_id: 2 });
  await inventory.adjust({ product_id: 9, adjustment_type: 'receive', quantity_change: 5 }, callerOf(2));
});
afterAll(() => inventory.stop());

const ids = (answer: ListJson): number[] => answer.stock_adjustments.map((row) => row.id);
const seconds = (answer: ListJson): number[] => answer.stock_adjustments.map((row) => new Date(row.created_at).getUTCSeconds());

test('spec: a ledger row holds exactly these keys, null where there is nothing, numbers as numbers', async () => {
  const { stock_adjustments } = await inventory.list('until=2026-11-20T12:00:01Z', caller);
  expect(stock_adjustments).toEqual([
    {
      id: expect.any(Number),
      product_id: 2,
      product_name: 'Loose tea',
      sku: null,
      adjustment_type: 'receive',
      quantity_change: 1,
      quantity_before: 0,
      quantity_after: 1,
      reason: null,
      notes: null,
      user: { id: 3, name: 'Ada Admin' },
      approved_by: null,
      warehouse_location: null,
      reconciliation_id: null,
      created_at: '2026-11-20T12:00:01.000Z',
    },
    {
      id: expect.any(Number),
      product_id: 1,
      product_name: 'White metal lantern',
      sku: '71053',
      adjustment_type: 'receive',
      quantity_change: 2.125,
      quantity_before: 0,
      quantity_after: 2.125,
      reason: 'Delivery',
      notes: null,
      user: { id: 3, name: 'Ada Admin' },
      approved_by: null,
      warehouse_location: { id: shop, name: 'Shop' },
      reconciliation_id: null,
      created_at: '2026-11-20T12:00:00.000Z',
    },
  ]);
});

test('spec: newest first, 100 to a page; D34: rows of one instant in the order of their ids; another store sees nothing of it', async () => {
  const answer = await inventory.list('', caller);
  expect(seconds(answer)).toEqual([3, 3, 2, 1, 0]);
  expect(ids(answer)).toEqual([...ids(answer)].sort((a, b) => b - a));
  expect(answer.pagination).toEqual({ current_page: 1, per_page: 100, total_count: 5, total_pages: 1 });
  expect((await inventory.list('', callerOf(2))).pagination.total_count).toBe(1);
  expect((await inventory.list('', callerOf(3))).pagination).toEqual({ current_page: 1, per_page: 100, total_count: 0, total_pages: 0 });
  expect((await inventory.list('product_id=9', caller)).stock_adjustments).toEqual([]);
  expect((await inventory.list(`warehouse_location_id=${shop}`, callerOf(2))).stock_adjustments).toEqual([]);
});

test.each([
  ['product_id=1', [3, 2, 0]],
  ['product_id=2&adjustment_type=receive', [3, 1]],
  ['adjustment_type=damage', [2]],
  ['adjustment_type=nonsense', []],
  ['adjustment_type=a%00', []],
  ['product_id=77', []],
  ['product_id=99999999999999999999', []],
  ['product_id=0', []],
  ['product_id=abc', []],
  ['warehouse_location_id=here', []],
  ['product_id[]=1', [3, 3, 2, 1, 0]],
  ['product_id=1.5', []],
  ['product_id=&adjustment_type=&since=&until=', [3, 3, 2, 1, 0]],
  ['since=2026-11-20T12:00:02.000Z', [3, 3]],
  ['since=2026-11-20T12:00:01.999Z', [3, 3, 2]],
  ['until=2026-11-20T12:00:02Z', [2, 1, 0]],
  ['since=2026-11-20T12:00:00Z&until=2026-11-20T12:00:02Z', [2, 1]],
  ['since=2026-11-20T13:00:01+01:00', [3, 3, 2]],
  ['since=2026-11-20T07:00:01', [3, 3, 2]],
  ['since=2026-11-20', [3, 3, 2, 1, 0]],
  ['page=2&per_page=2', [2, 1]],
  ['page=9&per_page=2', []],
  ['page=-4&per_page=0', [3, 3, 2, 1, 0]],
  ['page=99999999999999999999&per_page=1e9', []],
])('the query %s lists the rows of these seconds (D25, D33, D36, D110)', async (query, expected) => {
  expect(seconds(await inventory.list(query, caller))).toEqual(expected);
});

test.each(['since', 'until'])('spec: an unparseable %s is 422 with the one sentence', async (name) => {
  for (const value of ['yesterday', '2026-13-01', '%00', '2026-11-20T25:00:00Z', 'x'.repeat(5_000)]) {
    await expect(inventory.list(`${name}=${value}`, caller)).rejects.toMatchObject({
      kind: 'invalid',
      message: `${name} must be a valid timestamp`,
      extra: {},
    });
  }
});

test('a list is at most 4 statements, whatever the filter', async () => {
  for (const query of ['', 'product_id=1&adjustment_type=receive&since=2026-01-01&page=2']) {
    const count = await inventory.statementsOf(() => inventory.list(query, caller));
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(4);
  }
});

test('D192: total_count is exact while rows are written and while its figures are added up', async () => {
  const other = callerOf(50);
  inventory.catalog.products.set(50, { storeId: 50, name: 'Rope' });
  let written = 0;
  const write = async () => {
    for (let i = 0; i < 20; i++) {
      await inventory.adjust({ product_id: 50, adjustment_type: 'receive', quantity_change: 1 }, other);
      written += 1;
    }
  };
  const read = async () => {
    for (let i = 0; i < 20; i++) {
      const before = written;
      await compactCounts(inventory.db);
      const { pagination } = await inventory.list('', other);
      expect(pagination.total_count).toBeGreaterThanOrEqual(before);
    }
  };
  await Promise.all([write(), write(), read()]);
  await compactCounts(inventory.db);
  const [counts] = await inventory.db.read<{ rows: number; added: number }>(
    'select count(*) as rows, sum(added)::bigint as added from inventory.stock_adjustment_counts where store_id = $1',
    [50],
  );
  expect(counts!.added).toBe(40);
  expect(counts!.rows).toBeLessThanOrEqual(32);
  expect((await inventory.list('', other)).pagination.total_count).toBe(40);
});

test('a clock that steps back puts no row of a product before the row it follows', async () => {
  const other = callerOf(60);
  inventory.catalog.products.set(60, { storeId: 60, name: 'Rope' });
  const add = () => inventory.adjust({ product_id: 60, adjustment_type: 'receive', quantity_change: 1 }, other);
  inventory.clock.set('2026-11-20T13:00:00.000Z');
  await add();
  inventory.clock.set('2026-11-20T12:59:59.000Z');
  await add();
  const { stock_adjustments } = await inventory.list('', other);
  expect(stock_adjustments.map((row) => [row.quantity_after, row.created_at])).toEqual([
    [2, '2026-11-20T13:00:00.000Z'],
    [1, '2026-11-20T13:00:00.000Z'],
  ]);
});
