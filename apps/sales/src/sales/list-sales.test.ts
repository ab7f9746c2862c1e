/** GET /sales, GET /sales/:id and GET /customers/:id/recent_sales. */
import { describe, expect, test } from '@jest/globals';
import type { Json } from '@store/testbed';
import { type PlantedSale, plantSale } from '../../test/planted-sale.ts';
import { sales, shareSales } from '../../test/shared-sales.ts';
import { customerMessage, keyOf, staffOf, startSales } from '../../test/start-sales.ts';
import { saleStatuses } from './sale.ts';

const knownCustomers = new Map<number, Json>();
shareSales({
  customers: {
    GetCustomers: async ({ ids = [] }: Json) => ({ customers: ids.flatMap((id: number) => knownCustomers.get(Number(id)) ?? []) }),
  } as never,
});

const plant = (store: number, sale: PlantedSale = {}) => plantSale(sales, store, sale);
const list = (store: number, query = '', timeZone = 'Europe/London'): Promise<Json> =>
  sales.query('ListSales', query, keyOf(store, { timeZone }));
const ids = async (store: number, query = '', timeZone?: string): Promise<number[]> =>
  (await list(store, query, timeZone)).sales.map(({ id }: Json) => id);
const dated = (day: string, end = day) => `start_date=${day}&end_date=${end}`;

test('the golden sale: exactly these keys in this order, money as texts, what has no value left out', async () => {
  const store = sales.newStore();
  await sales.publish(customerMessage(store, { id: 501, name: 'Maya Lee', customer_code: 'C00501' }));
  const id = await plant(store, { receipt_number: 'R-7001', customer_id: 501 });
  await sales.run(
    `update sales.sale_line_items set note = 'Gift', modifiers = '[{"name":"Oat milk","quantity":"1.000","price_adjustment":"0.50","removed":false}]'
     where store_id = $1 and sale_id = $2`,
    [store, id],
  );
  const [line] = await sales.run<{ id: number }>('select id from sales.sale_line_items where store_id = $1', [store]);
  const at = '2026-11-20T12:00:00.000Z';
  const golden =
    `{"id":${id},"receipt_number":"R-7001","status":"completed","source":"pos","sale_type":"retail","payment_method":"cash",` +
    '"subtotal":"10.17","tax_amount":"2.03","discount_amount":"0.00","total":"12.20",' +
    `"line_items":[{"id":${line!.id},"product_id":1042,"product_name":"White metal lantern","sku":"71053","quantity":3,` +
    '"unit_price":"3.39","discount_amount":"0.00","total":"10.17","kitchen_item":false,' +
    '"modifiers":[{"name":"Oat milk","quantity":1,"price_adjustment":"0.50","removed":false}],"note":"Gift"}],' +
    `"customer":{"id":501,"name":"Maya Lee","customer_code":"C00501"},"clerk":"Cleo Clerk","completed_at":"${at}","created_at":"${at}","updated_at":"${at}"}`;
  expect((await sales.call('GetSale', { id: String(id) }, keyOf(store))).text).toBe(`{"sale":${golden}}`);
  expect((await sales.call('ListSales', {}, keyOf(store))).text).toBe(
    `{"sales":[${golden}],"pagination":{"current_page":1,"per_page":50,"total_count":1,"total_pages":1}}`,
  );
});

test('a voided sale shows when and why; a walk-in has no customer (D96b)', async () => {
  const store = sales.newStore();
  const id = await plant(store, { status: 'voided' });
  const { sale } = await sales.byId('GetSale', id, keyOf(store));
  expect(sale).toMatchObject({ status: 'voided', voided_at: '2026-11-20T12:00:00.000Z', void_reason: 'Wrong size' });
  expect(Object.keys(sale)).not.toContain('customer');
});

describe('the date of a sale', () => {
  test('is its completion, otherwise its creation; the order is by creation, newest first, then by id', async () => {
    const store = sales.newStore();
    const parked = await plant(store, { status: 'ready', created_at: '2026-11-18T10:00:00Z' });
    const late = await plant(store, { created_at: '2026-11-10T10:00:00Z', completed_at: '2026-11-19T10:00:00Z' });
    const [first, second] = [
      await plant(store, { created_at: '2026-11-19T09:00:00Z' }),
      await plant(store, { created_at: '2026-11-19T09:00:00Z' }),
    ];
    expect(await ids(store, dated('2026-11-18'))).toEqual([parked]);
    expect(await ids(store, dated('2026-11-10'))).toEqual([]);
    expect(await ids(store, dated('2026-11-01', '2026-11-20'))).toEqual([second, first, parked, late]);
    expect(await ids(store, 'period=yesterday')).toEqual([second, first, late]);
    expect(await ids(store)).toEqual([]);
  });

  test.each([
    ['Europe/London', '2026-03-29', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'],
    ['Europe/London', '2026-10-25', '2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z'],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['America/Los_Angeles', '2025-11-02', '2025-11-02T07:00:00.000Z', '2025-11-03T08:00:00.000Z'],
    ['Asia/Kolkata', '2026-03-29', '2026-03-28T18:30:00.000Z', '2026-03-29T18:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', '2026-04-05T13:30:00.000Z'],
    ['Pacific/Apia', '2026-01-01', '2025-12-31T11:00:00.000Z', '2026-01-01T11:00:00.000Z'],
  ])('%s, %s: sales 1 ms around both of its midnights are in or out', async (zone, day, from, to) => {
    const store = sales.newStore();
    const at = (text: string, ms: number) => new Date(new Date(text).getTime() + ms).toISOString();
    await plant(store, { created_at: at(from, -1) });
    const inside = [await plant(store, { created_at: from }), await plant(store, { created_at: at(to, -1) })];
    await plant(store, { created_at: to });
    expect(await ids(store, dated(day), zone)).toEqual(inside.reverse());
  });
});

describe('status=pending: of any date, and what awaits local delivery or shipping even if completed (D94)', () => {
  const methods = ['in_store', 'pickup', 'local_delivery', 'shipping'];
  const fulfilments = ['open', 'fulfilled'];
  const days = ['2026-11-20T09:00:00Z', '2024-01-01T09:00:00Z'];
  const cases = saleStatuses.flatMap((status) =>
    methods.flatMap((method) => fulfilments.flatMap((fulfilment) => days.map((day) => [status, method, fulfilment, day] as const))),
  );

  test('status, fulfilment and dates select together what the matrix says', async () => {
    const store = sales.newStore();
    const expected: Record<string, number[]> = { pending: [], ready: [], completed: [], voided: [], today: [] };
    for (const [status, fulfillment_method, fulfillment_status, created_at] of cases) {
      const id = await plant(store, { status, fulfillment_method, fulfillment_status, created_at });
      const isAwaited = status !== 'voided' && fulfillment_status === 'open' && ['local_delivery', 'shipping'].includes(fulfillment_method);
      if (status === 'pending' || isAwaited) expected.pending!.push(id);
      if (created_at !== days[0]) continue;
      expected.today!.push(id);
      if (status !== 'pending') expected[status]!.push(id);
    }
    const found = async (query: string) => (await ids(store, `${query}&per_page=100`)).sort((a, b) => a - b);
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
  test('fulfillment_method: exact, an unknown one finds nothing; they hold within the window', async () => {
    const store = sales.newStore();
    const shipped = await plant(store, { fulfillment_method: 'shipping' });
    await plant(store);
    await plant(store, { fulfillment_method: 'shipping', created_at: '2026-11-01T10:00:00Z' });
    expect(await ids(store, 'fulfillment_method=shipping')).toEqual([shipped]);
    for (const junk of ['drone', 'Shipping', '%00']) expect(await ids(store, `fulfillment_method=${junk}`)).toEqual([]);
    expect(await ids(store, 'fulfillment_method=')).toHaveLength(2);
  });

  test('D92: an unknown drawer finds nothing, a value that is no integer is ignored', async () => {
    const store = sales.newStore();
    const atDrawer = await plant(store, { cash_drawer_session_id: 31 });
    const other = await plant(store);
    expect(await ids(store, 'cash_drawer_session_id=31')).toEqual([atDrawer]);
    for (const unknown of ['32', '0', '-1', '99999999999999999999'])
      expect(await ids(store, `cash_drawer_session_id=${unknown}`)).toEqual([]);
    for (const junk of ['', 'x', '1.5', '31x', '%00'])
      expect(await ids(store, `cash_drawer_session_id=${junk}`)).toEqual([other, atDrawer]);
  });
});

describe('search', () => {
  test('finds an id, a part of a receipt number, of a name, an e-mail or a phone, in any case and of any date', async () => {
    const store = sales.newStore();
    await sales.publish(
      customerMessage(store, { id: 1, name: 'Zoë Öst', email: 'Zoe@Example.com', phone: '+44 (20) 7946-0018' }),
      customerMessage(store, { id: 2, name: '100% wool_x', email: null, phone: '555-0100' }),
    );
    const zoe = await plant(store, { customer_id: 1, created_at: '2020-05-05T10:00:00Z', receipt_number: 'INV-536365' });
    const wool = await plant(store, { customer_id: 2, receipt_number: 'INV-777' });
    const walkIn = await plant(store, { receipt_number: 'abC-9' });
    const found = (search: string, more = '') => ids(store, `search=${encodeURIComponent(search)}${more}`);
    for (const term of [
      '536365',
      'inv-5363',
      ' ZOË ',
      'öst',
      'zoe@EXAMPLE',
      '(20) 79',
      '7946',
      '442079460018',
      '20 7946 0018',
      'ö',
      String(zoe),
    ]) {
      expect([term, await found(term)]).toEqual([term, expect.arrayContaining([zoe])]);
    }
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
    const parked = await plant(store, { customer_id: 1, status: 'pending' });
    expect(await found('zoë', '&status=pending')).toEqual([parked]);
    expect((await list(store, 'search=inv-&per_page=1')).pagination).toEqual({
      current_page: 1,
      per_page: 1,
      total_count: 2,
      total_pages: 2,
    });
    expect(await ids(store, 'search=%20&per_page=1')).toEqual([parked]);
  });

  test("a rename is found at once by the new name and shown on every sale, and no sale is rewritten; another store's are not found", async () => {
    const [store, other] = [sales.newStore(), sales.newStore()];
    await sales.publish(
      customerMessage(store, { id: 9, name: 'Before Name' }, 1),
      customerMessage(other, { id: 9, name: 'Other Name' }, 1),
    );
    const [mine] = [await plant(store, { customer_id: 9 }), await plant(other, { customer_id: 9 })];
    await sales.publish(customerMessage(store, { id: 9, name: 'After Name', archived: true }, 3));
    await sales.publish(customerMessage(store, { id: 9, name: 'Late Name' }, 2));
    expect(await ids(store, 'search=before')).toEqual([]);
    expect(await ids(store, 'search=name')).toEqual([mine]);
    const { sale } = await sales.byId('GetSale', mine, keyOf(store));
    expect([sale.customer.name, sale.updated_at]).toEqual(['After Name', sale.created_at]);
  });
});

describe('paging', () => {
  test('past the end: no sales, and the true totals; 50 by default; two statements', async () => {
    const store = sales.newStore();
    for (let n = 0; n < 51; n++) await plant(store);
    expect((await list(store)).pagination).toEqual({ current_page: 1, per_page: 50, total_count: 51, total_pages: 2 });
    expect((await list(store, 'page=2')).sales).toHaveLength(1);
    expect(await list(store, 'page=9')).toEqual({
      sales: [],
      pagination: { current_page: 9, per_page: 50, total_count: 51, total_pages: 2 },
    });
    for (const query of [
      '',
      'page=2',
      'search=p',
      'search=1234567',
      'status=pending',
      `${dated('2026-01-01', '2026-12-31')}&fulfillment_method=in_store`,
    ]) {
      expect(await sales.statementsOf(() => list(store, query))).toBe(2);
    }
  });
});

describe('GET /customers/:id/recent_sales', () => {
  test('the last 5 completed ones by completion; parked and voided ones are not among them', async () => {
    const store = sales.newStore();
    await sales.publish(customerMessage(store, { id: 5 }));
    const completed: number[] = [];
    for (const day of [11, 12, 13, 14, 15, 16])
      completed.unshift(await plant(store, { customer_id: 5, created_at: `2026-11-${day}T10:00:00Z` }));
    const late = await plant(store, { customer_id: 5, created_at: '2026-11-01T10:00:00Z', completed_at: '2026-11-19T10:00:00Z' });
    await plant(store, { customer_id: 5, status: 'pending' });
    await plant(store, { customer_id: 5, status: 'voided' });
    await plant(store, { customer_id: 6 });
    const recent = await sales.byId('ListRecentSales', 5, keyOf(store));
    expect(Object.keys(recent)).toEqual(['sales']);
    expect(recent.sales.map(({ id }: Json) => id)).toEqual([late, ...completed.slice(0, 4)]);
    expect(recent.sales[0].line_items).toHaveLength(1);
  });

  test('a customer that the copy does not have yet is asked for, once; an unknown, archived or foreign one is a 404', async () => {
    const store = sales.newStore();
    knownCustomers.set(77, { id: '77', name: 'New Customer', archived: false });
    await plant(store, { customer_id: 77 });
    expect((await sales.byId('ListRecentSales', 77, keyOf(store))).sales[0].customer).toEqual({ id: 77, name: 'New Customer' });
    knownCustomers.delete(77);
    expect((await sales.byId('ListRecentSales', 77, keyOf(store))).sales).toHaveLength(1);
    await sales.publish(customerMessage(store, { id: 78, archived: true }));
    for (const id of [78, 79, 'x']) {
      expect(await sales.refusal(sales.byId('ListRecentSales', id, keyOf(store)))).toEqual({ status: 404, error: 'Customer not found' });
    }
  });

  test('D234: with customers down a customer of the copy is served, and any other is not known to be missing', async () => {
    const down = await startSales();
    await down.publish(customerMessage(1, { id: 5 }));
    expect((await down.byId('ListRecentSales', 5, staffOf(1))).sales).toEqual([]);
    expect(await down.refusal(down.byId('ListRecentSales', 6, staffOf(1)))).toMatchObject({ status: 500 });
    await down.stop();
  });
});
