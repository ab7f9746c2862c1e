import { beforeAll, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { inventory, keyOf, receive, shareInventory, staffOf } from '../../test/inventory-under-test.ts';
import { compactCounts } from './adjustment-counts.ts';

const storeId = 1;
const caller = keyOf(storeId);
let shop: number;

shareInventory();
/** Three adjustments, a second apart, then two at the same instant. */
beforeAll(async () => {
  inventory.catalog.products.set(1, { storeId, name: 'White metal lantern', sku: '71053' });
  inventory.catalog.products.set(2, { storeId, name: 'Loose tea' });
  inventory.catalog.products.set(9, { storeId: 2, name: 'Theirs' });
  const staff = staffOf(storeId);
  shop = (await inventory.addLocation('Shop', 'floor', staff)).id;
  for (const [second, body, by] of [
    [0, receive(1, '2.125', { warehouse_location_id: shop }), caller],
    [1, receive(2, 1), caller],
    [2, receive(1, -1, { adjustment_type: 'damage' }), staff],
    [3, receive(1, 1), caller],
    [3, receive(2, 1), caller],
  ] as const) {
    inventory.clock.set(`2026-11-20T12:00:0${second}.000Z`);
    await inventory.adjust(body, by);
  }
  await inventory.adjust(receive(9, 5), keyOf(2));
});

const ids = (answer: Json): number[] => answer.stock_adjustments.map((row: Json) => row.id);
const seconds = (answer: Json): number[] => answer.stock_adjustments.map((row: Json) => new Date(row.created_at).getUTCSeconds());

test('spec, D34: newest first, 100 a page, one instant by id, of the store alone', async () => {
  const answer = await inventory.list('', caller);
  expect(seconds(answer)).toEqual([3, 3, 2, 1, 0]);
  expect(ids(answer)).toEqual([...ids(answer)].sort((a, b) => b - a));
  expect(answer.pagination).toEqual({ current_page: 1, per_page: 100, total_count: 5, total_pages: 1 });
  expect((await inventory.list('', keyOf(2))).pagination.total_count).toBe(1);
  expect((await inventory.list('', keyOf(3))).pagination).toEqual({ current_page: 1, per_page: 100, total_count: 0, total_pages: 0 });
  expect((await inventory.list('product_id=9', caller)).stock_adjustments).toEqual([]);
  expect((await inventory.list(`warehouse_location_id=${shop}`, keyOf(2))).stock_adjustments).toEqual([]);
});

test.each([
  ['product_id=1', [3, 2, 0]],
  ['product_id=2&adjustment_type=receive', [3, 1]],
  ['adjustment_type=damage', [2]],
  ['product_id=77', []],
  ['product_id[]=1', [3, 3, 2, 1, 0]],
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

test('a list is at most 4 statements, whatever the filter', async () => {
  for (const query of ['', 'product_id=1&adjustment_type=receive&since=2026-01-01&page=2']) {
    const count = await inventory.statementsOf(() => inventory.list(query, caller));
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(4);
  }
});

test('D192: total_count is exact while rows are written and figures compacted', async () => {
  const other = keyOf(50);
  inventory.catalog.products.set(50, { storeId: 50, name: 'Rope' });
  let written = 0;
  const write = async () => {
    for (let i = 0; i < 20; i++) {
      await inventory.adjust(receive(50, 1), other);
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
  const other = keyOf(60);
  inventory.catalog.products.set(60, { storeId: 60, name: 'Rope' });
  const add = () => inventory.adjust(receive(60, 1), other);
  inventory.clock.set('2026-11-20T13:00:00.000Z');
  await add();
  inventory.clock.set('2026-11-20T12:59:59.000Z');
  await add();
  const { stock_adjustments } = await inventory.list('', other);
  expect(stock_adjustments.map((row: Json) => [row.quantity_after, row.created_at])).toEqual([
    [2, '2026-11-20T13:00:00.000Z'],
    [1, '2026-11-20T13:00:00.000Z'],
  ]);
});
