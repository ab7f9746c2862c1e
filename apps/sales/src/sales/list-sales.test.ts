/** GET /sales, GET /sales/:id and GET /customers/:id/recent_sales. */
import { describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { customerMessage, key, keyOf, newStore, plantSale, sales, shareSales, store } from '../../test/sales-under-test.ts';
import { saleStatuses } from './sale.ts';

shareSales();

const dated = (day: string, end = day) => `start_date=${day}&end_date=${end}`;
const recentSales = (id: number | string) => sales.byId('ListRecentSales', id, key);

test('a voided sale shows when and why; a walk-in has no customer (D96b)', async () => {
  const id = await plantSale({ status: 'voided' });
  const sale = await sales.get(id);
  expect(sale).toMatchObject({ status: 'voided', voided_at: '2026-11-20T12:00:00.000Z', void_reason: 'Wrong size' });
  expect(Object.keys(sale)).not.toContain('customer');
});

describe('the date of a sale', () => {
  test('is its completion, else its creation; newest creation first, then by id', async () => {
    const parked = await plantSale({ status: 'ready', created_at: '2026-11-18T10:00:00Z' });
    const late = await plantSale({ created_at: '2026-11-10T10:00:00Z', completed_at: '2026-11-19T10:00:00Z' });
    const together = { created_at: '2026-11-19T09:00:00Z' };
    const [first, second] = [await plantSale(together), await plantSale(together)];
    expect(await sales.ids(dated('2026-11-18'))).toEqual([parked]);
    expect(await sales.ids(dated('2026-11-10'))).toEqual([]);
    expect(await sales.ids(dated('2026-11-01', '2026-11-20'))).toEqual([second, first, parked, late]);
    expect(await sales.ids('period=yesterday')).toEqual([second, first, late]);
    expect(await sales.ids()).toEqual([]);
  });

  test("is in a day from its first moment to before the next day's, by the store's clock", async () => {
    const [from, to] = ['2026-04-04T13:00:00.000Z', '2026-04-05T13:30:00.000Z'] as const;
    const before = (text: string) => new Date(Date.parse(text) - 1).toISOString();
    await plantSale({ created_at: before(from) });
    const inside = [await plantSale({ created_at: from }), await plantSale({ created_at: before(to) })];
    await plantSale({ created_at: to });
    const caller = keyOf(store, { timeZone: 'Australia/Lord_Howe' });
    expect(await sales.ids(dated('2026-04-05'), caller)).toEqual(inside.reverse());
  });
});

describe('D94: status=pending is of any date, with completed sales awaiting delivery', () => {
  const methods = ['in_store', 'pickup', 'local_delivery', 'shipping'];
  const fulfilments = ['open', 'fulfilled'];
  const days = ['2026-11-20T09:00:00Z', '2024-01-01T09:00:00Z'];
  const cases = saleStatuses.flatMap((status) =>
    methods.flatMap((method) => fulfilments.flatMap((fulfilment) => days.map((day) => [status, method, fulfilment, day] as const))),
  );

  test('status, fulfilment and dates select together what the matrix says', async () => {
    const expected: Record<string, number[]> = { pending: [], ready: [], completed: [], voided: [], today: [] };
    for (const [status, fulfillment_method, fulfillment_status, created_at] of cases) {
      const id = await plantSale({ status, fulfillment_method, fulfillment_status, created_at });
      const isAwaited = status !== 'voided' && fulfillment_status === 'open' && ['local_delivery', 'shipping'].includes(fulfillment_method);
      if (status === 'pending' || isAwaited) expected.pending!.push(id);
      if (created_at !== days[0]) continue;
      expected.today!.push(id);
      if (status !== 'pending') expected[status]!.push(id);
    }
    const found = async (query: string) => (await sales.ids(`${query}&per_page=100`)).sort((a, b) => a - b);
    for (const status of saleStatuses) expect([status, await found(`status=${status}`)]).toEqual([status, expected[status]]);
    expect(await found('')).toEqual(expected.today);
    // The dates do not limit it, whatever they are.
    expect(await found(`status=pending&${dated('2025-01-01')}`)).toEqual(expected.pending);
    // D92: an unknown status is ignored.
    expect(await found('status=parked')).toEqual(expected.today);
    const shipping = await found('status=pending&fulfillment_method=shipping');
    expect(shipping).toHaveLength(2 * 2 + 2 * 2);
    expect(expected.pending).toEqual(expect.arrayContaining(shipping));
  });
});

describe('filters', () => {
  test('fulfillment_method: exact, an unknown one finds nothing, within the window', async () => {
    const shipped = await plantSale({ fulfillment_method: 'shipping' });
    await plantSale();
    await plantSale({ fulfillment_method: 'shipping', created_at: '2026-11-01T10:00:00Z' });
    expect(await sales.ids('fulfillment_method=shipping')).toEqual([shipped]);
    for (const junk of ['drone', 'Shipping']) expect(await sales.ids(`fulfillment_method=${junk}`)).toEqual([]);
    expect(await sales.ids('fulfillment_method=')).toHaveLength(2);
  });

  test('D92: an unknown drawer finds nothing, a value that is no integer is ignored', async () => {
    const atDrawer = await plantSale({ cash_drawer_session_id: 31 });
    const other = await plantSale();
    expect(await sales.ids('cash_drawer_session_id=31')).toEqual([atDrawer]);
    for (const unknown of ['32', '-1']) expect(await sales.ids(`cash_drawer_session_id=${unknown}`)).toEqual([]);
    for (const junk of ['', '31x']) expect(await sales.ids(`cash_drawer_session_id=${junk}`)).toEqual([other, atDrawer]);
  });
});

describe('search', () => {
  test('finds id, part of receipt number, name, e-mail or phone, in any case and date', async () => {
    await sales.publish(
      customerMessage(store, { id: 1, name: 'Zoë Öst', email: 'Zoe@Example.com', phone: '+44 (20) 7946-0018' }),
      customerMessage(store, { id: 2, name: '100% wool_x', email: null, phone: '555-0100' }),
    );
    const zoe = await plantSale({ customer_id: 1, created_at: '2020-05-05T10:00:00Z', receipt_number: 'INV-536365' });
    const wool = await plantSale({ customer_id: 2, receipt_number: 'INV-777' });
    const walkIn = await plantSale({ receipt_number: 'abC-9' });
    const found = (search: string, more = '') => sales.ids(`search=${encodeURIComponent(search)}${more}`);
    const terms = '536365|inv-5363| ZOË |öst|zoe@EXAMPLE|(20) 79|7946|442079460018|20 7946 0018|ö'.split('|');
    for (const term of [...terms, String(zoe)]) expect([term, await found(term)]).toEqual([term, expect.arrayContaining([zoe])]);
    expect(await found('ABC')).toEqual([walkIn]);
    expect(await found('100%')).toEqual([wool]);
    expect(await found('l_x')).toEqual([wool]);
    expect(await found('inv-')).toEqual([wool, zoe]);
    // Fewer than 7 digits do not match a phone across its formatting.
    expect(await found('446020')).toEqual([]);
    for (const nothing of ['zoe@example.com+', 'x\u0000y', 'öst\u001fzoe', '%', '_'])
      expect([nothing, (await found(nothing)).includes(walkIn)]).toEqual([nothing, false]);
    // D235: every other filter holds beside it, pending too; the dates do not.
    expect(await found('inv-', `&${dated('2026-11-20')}`)).toEqual([wool, zoe]);
    expect(await found('inv-', '&status=voided')).toEqual([]);
    const parked = await plantSale({ customer_id: 1, status: 'pending' });
    expect(await found('zoë', '&status=pending')).toEqual([parked]);
    expect((await sales.list('search=inv-&per_page=1')).pagination).toMatchObject({ total_count: 2, total_pages: 2 });
    expect(await sales.ids('search=%20&per_page=1')).toEqual([parked]);
  });

  test('a rename is found and shown on every sale, none rewritten; older names are gone', async () => {
    const named = (name: string, version: number, more: object = {}) => customerMessage(store, { id: 9, name, ...more }, version);
    await sales.publish(named('Before Name', 1), customerMessage(store + 1_000, { id: 9, name: 'Other Name' }));
    const mine = await plantSale({ customer_id: 9 });
    await sales.publish(named('After Name', 3, { archived: true }));
    await sales.publish(named('Late Name', 2));
    expect(await sales.ids('search=before')).toEqual([]);
    expect(await sales.ids('search=name')).toEqual([mine]);
    const { customer, updated_at, created_at } = await sales.get(mine);
    expect([customer.name, updated_at]).toEqual(['After Name', created_at]);
    newStore();
    expect(await sales.ids('search=name')).toEqual([]);
  });
});

describe('paging', () => {
  test('past the end: no sales, and the true totals; 50 by default; two statements', async () => {
    for (let n = 0; n < 51; n++) await plantSale();
    expect((await sales.list()).pagination).toEqual({ current_page: 1, per_page: 50, total_count: 51, total_pages: 2 });
    expect((await sales.list('page=2')).sales).toHaveLength(1);
    const past = { current_page: 9, per_page: 50, total_count: 51, total_pages: 2 };
    expect(await sales.list('page=9')).toEqual({ sales: [], pagination: past });
    const inStore = `${dated('2026-01-01', '2026-12-31')}&fulfillment_method=in_store`;
    for (const query of ['', 'page=2', 'search=p', 'search=1234567', 'status=pending', inStore])
      expect(await sales.statementsOf(() => sales.list(query))).toBe(2);
  });
});

describe('GET /customers/:id/recent_sales', () => {
  test('the last 5 completed ones by completion, without parked and voided ones', async () => {
    await sales.publish(customerMessage(store, { id: 5 }));
    const completed: number[] = [];
    for (const day of [11, 12, 13, 14, 15, 16])
      completed.unshift(await plantSale({ customer_id: 5, created_at: `2026-11-${day}T10:00:00Z` }));
    const late = await plantSale({ customer_id: 5, created_at: '2026-11-01T10:00:00Z', completed_at: '2026-11-19T10:00:00Z' });
    await plantSale({ customer_id: 5, status: 'pending' });
    await plantSale({ customer_id: 5, status: 'voided' });
    await plantSale({ customer_id: 6 });
    const recent = await recentSales(5);
    expect(Object.keys(recent)).toEqual(['sales']);
    expect(recent.sales.map(({ id }: Json) => id)).toEqual([late, ...completed.slice(0, 4)]);
    expect(recent.sales[0].line_items).toHaveLength(1);
  });

  test('a customer missing in the copy is asked for once; unknown or archived is a 404', async () => {
    const { known } = sales.customers;
    known.set(77, { id: '77', name: 'New Customer', archived: false });
    await plantSale({ customer_id: 77 });
    expect((await recentSales(77)).sales[0].customer).toEqual({ id: 77, name: 'New Customer' });
    known.delete(77);
    expect((await recentSales(77)).sales).toHaveLength(1);
    await sales.publish(customerMessage(store, { id: 78, archived: true }));
    for (const id of [78, 79, 'x']) expect(await sales.refusal(recentSales(id))).toEqual({ status: 404, error: 'Customer not found' });
  });

  test('D234: with customers down one of the copy is served, any other is not a 404', async () => {
    sales.customers.isDown = true;
    await sales.publish(customerMessage(store, { id: 5 }));
    expect((await recentSales(5)).sales).toEqual([]);
    expect(await sales.refusal(recentSales(6))).toMatchObject({ status: 500 });
  });
});
