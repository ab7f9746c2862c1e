import { beforeAll, expect, test } from '@jest/globals';
import { compactTotals } from '@store/db';
import { purchasing, sharePurchasing, staffOf } from '../../test/purchasing-under-test.ts';

let supplierId: number;
/** Oldest first: pending, confirmed, partially received (short), received (ok), received (short), cancelled. */
let ids: number[];

sharePurchasing();
beforeAll(async () => {
  supplierId = await purchasing.supplier('Lantern Works');
  ids = [];
  for (let n = 0; n < 6; n++) {
    purchasing.clock.set(`2026-11-20T12:00:0${n}.000Z`);
    const fields = n % 2 === 0 ? { supplier_id: supplierId } : {};
    const { id, line_items } = await purchasing.order([{ product_id: 1, quantity_ordered: 4, unit_price: 1 }], fields);
    ids.push(id);
    const receive = (quantity_received: number) => purchasing.receive(id, { line_items: [{ id: line_items[0].id, quantity_received }] });
    if (n === 1) await purchasing.move(id, 'confirmed');
    if (n === 2) await receive(1);
    if (n === 3) await receive(4);
    if (n === 4) await purchasing.move(id, 'received');
    if (n === 5) await purchasing.move(id, 'cancelled');
  }
  await purchasing.order([{ sku: 'Theirs', quantity_ordered: 1, unit_price: 1 }], {}, 2);
});

/** Places in `ids` of what the query finds, and the total. */
async function found(query: string): Promise<[number[], number]> {
  const { purchase_orders, pagination } = await purchasing.list(query);
  return [purchase_orders.map(({ id }: { id: number }) => ids.indexOf(id)), pagination.total_count];
}

test('orders are listed newest first by creation, with their lines, 50 a page', async () => {
  expect(await found('')).toEqual([[5, 4, 3, 2, 1, 0], 6]);
  const { purchase_orders, pagination } = await purchasing.list('');
  expect(pagination).toEqual({ current_page: 1, per_page: 50, total_count: 6, total_pages: 1 });
  expect(purchase_orders[0]).toEqual(await purchasing.get(ids[5]!));
  expect(purchase_orders.every(({ line_items }: { line_items: object[] }) => line_items.length === 1)).toBe(true);
  expect(await found('page=2&per_page=4')).toEqual([[1, 0], 6]);
  expect(await found('page=9')).toEqual([[], 6]);
});

test.each([
  ['status=received', [4, 3]],
  ['status=pending', [0]],
  // "unrecognised value ignored"
  ['status=lost', [5, 4, 3, 2, 1, 0]],
  ['status=', [5, 4, 3, 2, 1, 0]],
  ['status=RECEIVED', [5, 4, 3, 2, 1, 0]],
  ['supplier_id=SUPPLIER', [4, 2, 0]],
  ['supplier_id=', [5, 4, 3, 2, 1, 0]],
  // D38: exclusive.
  ['updated_since=2026-11-20T12:00:03Z', [5, 4]],
  ['updated_since=2026-11-20T12:00:02.999Z', [5, 4, 3]],
  // D36: in the store's time zone.
  ['updated_since=2026-11-20T07:00:04', [5]],
  ['updated_since=', [5, 4, 3, 2, 1, 0]],
  ['with_variance=true', [4, 2]],
  ['with_variance=1', [4, 2]],
  ['with_variance=false', [5, 4, 3, 2, 1, 0]],
  ['with_variance=true&status=received&supplier_id=SUPPLIER', [4]],
  ['with_variance=true&page=2&per_page=1', [2]],
])('%s finds %j', async (query, places) => {
  const [rows, total] = await found(query.replace('SUPPLIER', String(supplierId)));
  expect(rows).toEqual(places);
  if (!query.includes('page')) expect(total).toBe(places.length);
});

test('a changed order is found by updated_since; an invoice alone is no variance', async () => {
  purchasing.clock.set('2026-11-20T13:00:00.000Z');
  const order = await purchasing.get(ids[0]!);
  await purchasing.invoice(ids[0]!, [{ id: order.line_items[0].id, quantity_invoiced: 9 }]);
  expect(await found('updated_since=2026-11-20T12:30:00Z')).toEqual([[0], 1]);
  expect(await found('with_variance=true')).toEqual([[4, 2], 2]);
});

test('two statements for 50 orders of 20 lines, any filter; compacted totals are exact', async () => {
  const lines = Array.from({ length: 20 }, (_, n) => ({ sku: `L-${n}`, quantity_ordered: 1, unit_price: 1 }));
  for (let n = 0; n < 50; n++) {
    const { id, line_items } = await purchasing.order(lines, {}, 5);
    if (n % 2 === 0) await purchasing.receive(id, { line_items: [{ id: line_items[0].id, quantity_received: 2 }] }, 5);
  }
  await compactTotals(purchasing.db);
  for (const [query, count] of [
    ['', 50],
    ['with_variance=true', 25],
    ['status=pending&updated_since=2026-01-01', 25],
  ] as const) {
    let answer: Awaited<ReturnType<typeof purchasing.list>>;
    const statements = await purchasing.statementsOf(async () => {
      answer = await purchasing.list(query, staffOf(5));
    });
    expect(statements).toBeLessThanOrEqual(2);
    expect([answer!.purchase_orders.length, answer!.pagination.total_count]).toEqual([count, count]);
    expect(answer!.purchase_orders[0].line_items.map(({ sku }: { sku: string }) => sku)).toEqual(lines.map(({ sku }) => sku));
  }
});

test('a variance that comes and goes keeps has_variance and its total in step', async () => {
  const { id, line_items } = await purchasing.order([{ sku: 'A', quantity_ordered: 2, unit_price: 1 }], {}, 6);
  const total = async () => (await purchasing.list('with_variance=true', staffOf(6))).pagination.total_count;
  const set = (quantity_received: number) => purchasing.correct(id, line_items[0].id, { quantity_received }, 6);
  const seen: number[] = [];
  for (const quantity of [1, 2, 3, 0]) {
    await set(quantity);
    seen.push(await total());
  }
  expect(seen).toEqual([1, 0, 1, 0]);
});
