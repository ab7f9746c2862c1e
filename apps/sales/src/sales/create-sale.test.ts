/** POST /sales: what the register records, and what it refuses. */
import { describe, expect, test } from '@jest/globals';
import { noTax } from '@store/rpc';
import { clerk, key, newStore, paid, sales, sell, shareSales, store, tea } from '../../test/sales-under-test.ts';

/** A tea is 1.00, and 0.20 tax. */
shareSales({ tax: { ...noTax, mode: 'single', rate: '20.00' } }, { name: 'Tea', sku: 'T' });

const now = '2026-11-20T12:00:00.000Z';

test('golden: a sale has exactly these keys, in this order, of these types', async () => {
  const lantern = sales.product({ name: 'Lantern', sku: 'L-1', price: '3.39', cost: '1.20' });
  const customer = await sales.customer(501);
  const modifiers = [{ name: 'Gift wrap', quantity: 1, price_adjustment: '0.50' }];
  const line_items = [{ product_id: lantern, quantity: 3, modifiers, note: 'No ribbon', discount_amount: '0.67', kitchen_item: true }];
  const { text } = await sales.answer('CreateSale', { sale: { customer_id: customer, line_items, discount_amount: 1 } }, clerk);
  const { id, line_items: lines } = JSON.parse(text).sale;
  expect(text).toBe(
    `{"sale":{"id":${id},"receipt_number":"R-1001","status":"completed","source":"pos","sale_type":"retail","payment_method":"cash",` +
      '"subtotal":"11.67","tax_amount":"2.00","discount_amount":"1.67","total":"12.00",' +
      `"line_items":[{"id":${lines[0].id},"product_id":${lantern},"product_name":"Lantern","sku":"L-1","quantity":3,"unit_price":"3.39",` +
      '"discount_amount":"0.67","total":"11.00","kitchen_item":true,' +
      '"modifiers":[{"name":"Gift wrap","quantity":1,"price_adjustment":"0.50","removed":false}],"note":"No ribbon"}],' +
      '"customer":{"id":501,"name":"Maya Lee","customer_code":"C10501"},"clerk":"Cleo Clerk",' +
      `"completed_at":"${now}","created_at":"${now}","updated_at":"${now}"}}`,
  );
  expect(sales.catalog.asked).toBe(1);
  expect((await sales.call('GetSale', { id: String(id) }, key)).text).toBe(text);
  const pagination = '"pagination":{"current_page":1,"per_page":50,"total_count":1,"total_pages":1}';
  expect((await sales.call('ListSales', {}, key)).text).toBe(`{"sales":[${text.slice('{"sale":'.length, -1)}],${pagination}}`);
});

test('spec: sale.completed fires once with the answered sale; a pending one fires none', async () => {
  const line_items = [{ product_id: tea, quantity: '0.250' }];
  const events = await sales.eventsOf(store, async () => {
    const sale = await sales.create({ line_items });
    const [event] = await sales.events(store);
    expect(event!.body).toMatchObject({ event: 'sale.completed', resource_type: 'Sale', resource_id: sale.id, data: sale });
    await sales.create({ status: 'pending', line_items });
  });
  expect(events.map((event) => [event.name, event.body === null, event.audit?.action])).toEqual([
    ['sale.completed', false, 'sale.create'],
    ['sale.created', true, 'sale.create'],
  ]);
  const told = { receipt_number: 'R-1001', counted: true, customer_id: null, loyalty: false, user: { id: 7, name: 'Cleo Clerk' } };
  const sums = { subtotal: '0.25', discount_amount: '0.00', total: '0.30', store_credit: '0.00' };
  const lines = [{ product_id: tea, product_name: 'Tea', sku: 'T', quantity: '0.250', bundle: false }];
  expect(events[0]!.internal.sale).toEqual({ id: events[0]!.body.resource_id, ...told, ...sums, lines });
});

test('spec: fields without a value are left out; a sale of nothing owed has no tender', async () => {
  const gift = sales.product({ price: '0.00' });
  const sale = await sales.create({ line_items: [{ product_id: gift, quantity: 1 }] });
  for (const field of ['payment_method', 'customer', 'voided_at', 'void_reason', 'green_echeck_surcharge', 'green_echeck_total_paid'])
    expect(sale).not.toHaveProperty(field);
  expect(sale.line_items[0]).not.toHaveProperty('sku');
  expect(sale.line_items[0]).not.toHaveProperty('note');
  expect(sale.line_items[0].modifiers).toEqual([]);
});

describe('tenders (D209, D237)', () => {
  test('two or more make the method split; they sum up to the total', async () => {
    const pay = (...payments: Parameters<typeof paid>) => sell({ payments: paid(...payments) });
    expect((await pay(['cash', 0.5], ['debit', '0.70'])).payment_method).toBe('split');
    expect((await pay(['e_transfer', 1.2])).payment_method).toBe('e_transfer');
    for (const wrong of [pay(['cash', '1.19']), pay(['cash', 1.2], ['cash', 1]), pay()])
      expect(await sales.refused(wrong)).toEqual(['Payments must sum up to the total of 1.20']);
  });

  test('a Green eCheck surcharge is in no payment or total; its keys come with it alone', async () => {
    const surcharged = await sell({ payment_method: 'green_echeck', green_echeck_surcharge: '1.5' });
    expect(surcharged).toMatchObject({ total: '1.20', green_echeck_surcharge: '1.50', green_echeck_total_paid: '2.70' });
    const plain = await sell({ payments: paid(['green_echeck', 0.4], ['cash', 0.8]) });
    expect(plain).toMatchObject({ green_echeck_surcharge: '0.00', green_echeck_total_paid: '0.40' });
    expect(await sales.refused(sell({ green_echeck_surcharge: 1 }))).toEqual(['Green echeck surcharge needs a Green eCheck payment']);
  });
});

describe('what can be sold (D219)', () => {
  test('everything that is wrong is said at once, and nothing is kept', async () => {
    const parent = sales.product({ hasVariations: true });
    const blocked = sales.product({ price: '5.00', blockManualDiscounts: true });
    const plain = sales.product({ price: '5.00' });
    const line_items = [
      { product_id: 999_999, quantity: 1 },
      { product_id: parent, quantity: 1 },
      { product_id: blocked, quantity: 1, discount_amount: 1 },
      { product_id: plain, quantity: 1, discount_amount: '5.01' },
      { product_id: plain, quantity: 1, modifiers: [{ name: 'Refund', price_adjustment: -6 }] },
    ];
    expect(await sales.refused(sales.create({ line_items }))).toEqual([
      'Line 1 product is unknown',
      'Line 2 product has variations; sell a variation instead',
      'Line 3 discount amount is not allowed on this product',
      'Line 4 discount amount must be less than or equal to 5.00',
      'Line 5 total must be greater than or equal to 0',
    ]);
    expect(await sales.names()).toEqual([]);
  });

  test("a sale's discount is at most its lines that may be discounted", async () => {
    const blocked = sales.product({ price: '5.00', blockManualDiscounts: true });
    const plain = sales.product({ price: '3.00' });
    const line_items = [blocked, plain].map((product_id) => ({ product_id, quantity: 1 }));
    const errors = ['Discount amount must be less than or equal to 3.00'];
    expect(await sales.refused(sales.create({ line_items, discount_amount: '3.01' }))).toEqual(errors);
    expect(await sales.create({ line_items, discount_amount: 3 })).toMatchObject({ discount_amount: '3.00', tax_amount: '1.00' });
  });

  test("another store's product is unknown, and catalog down sells nothing", async () => {
    const theirs = sales.product({ storeId: store + 1_000 });
    const line_items = [{ product_id: theirs, quantity: 1 }];
    expect(await sales.refused(sales.create({ line_items }))).toEqual(['Line 1 product is unknown']);
    sales.catalog.isDown = true;
    expect((await sales.refusal(sales.create({ line_items }))).status).toBe(500);
  });
});

test('D200, D248: 500 lines, 50 modifiers, 20 payments pass; one more is a 422', async () => {
  const tea = sales.product({ price: '0.10' });
  const list = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  const line = { product_id: tea, quantity: 1 };
  const payments = [...list(19, { method: 'cash', amount: 1 }), ...paid(['debit', 41])];
  expect((await sales.create({ line_items: list(500, line), payments })).line_items).toHaveLength(500);
  const modifiers = list(50, { name: 'Sugar' });
  await sales.create({ line_items: [{ ...line, modifiers }] });
  expect(await sales.refused(sales.create({ line_items: list(501, line) }))).toEqual(['Line items is too long (maximum is 500)']);
  const many = { ...line, modifiers: [...modifiers, { name: 'Milk' }] };
  expect(await sales.refused(sales.create({ line_items: [many] }))).toEqual(['Line 1 modifiers is too long (maximum is 50)']);
  const split = { line_items: [line], payments: list(21, { method: 'cash', amount: 1 }) };
  expect(await sales.refused(sales.create(split))).toEqual(['Payments is too long (maximum is 20)']);
});

describe('receipt numbers (D236)', () => {
  test('one that is sent is kept, and refused when it is taken in this store', async () => {
    expect((await sell({ receipt_number: ' 536365 ' })).receipt_number).toBe('536365');
    expect(await sales.refused(sell({ receipt_number: '536365' }))).toEqual(['Receipt number has already been taken']);
    newStore();
    const line_items = [{ product_id: sales.product(), quantity: 1 }];
    expect((await sell({ receipt_number: '536365', line_items })).receipt_number).toBe('536365');
  });

  test("the store's own are handed out once each, skipping those that clients used", async () => {
    await sell({ receipt_number: 'R-1003' });
    const sales = await Promise.all(Array.from({ length: 12 }, () => sell()));
    const numbers = sales.map((sale) => sale.receipt_number);
    expect(new Set(numbers).size).toBe(12);
    expect(numbers).not.toContain('R-1003');
    // All of them waited for one block.
    expect(numbers.sort()).toEqual(['R-1001', 'R-1002', ...Array.from({ length: 10 }, (_, n) => `R-${1004 + n}`)]);
  });

  test('hundreds that clients used before are skipped by as many statements as one', async () => {
    const { id } = await sell({ receipt_number: '1' });
    const use = (first: number, last: number) =>
      sales.run(
        `insert into sales.sales overriding system value
         select used.* from sales.sales s, generate_series($3::int, $4::int) n,
           json_populate_record(s, json_build_object('id', nextval('sales.sales_id_seq'), 'receipt_number', 'R-' || n)) used
         where s.store_id = $1 and s.id = $2`,
        [store, id, first, last],
      );
    await use(1001, 1500);
    expect((await sell()).receipt_number).toBe('R-1501');
    await use(1502, 1799);
    const numbers: string[] = [];
    const sellOne = async () => numbers.push((await sell()).receipt_number);
    expect(await sales.statementsOf(sellOne)).toBeLessThanOrEqual(8);
    await sellOne();
    expect(numbers).toEqual(['R-1800', 'R-1801']);
  });
});

test.each([
  ['D274: up to five minutes ahead is now', '2026-11-20T12:05:00Z', now],
  ['a time of the past is kept', '2026-11-01T10:00:00', '2026-11-01T10:00:00.000Z'],
])('%s: completed_at %s', async (_name, sent, completed_at) => {
  expect(await sell({ completed_at: sent })).toMatchObject({ completed_at, created_at: now });
});

test('D270: a product without manual discounts is sold for no less, by any discount', async () => {
  const dear = sales.product({ price: '20.00', blockManualDiscounts: true });
  const sellFor = (line: object) => sales.create({ line_items: [{ product_id: dear, quantity: 1, ...line }] });
  const modifiers = (price_adjustment: string) => [{ name: 'Sugar', price_adjustment }];
  for (const [line, error] of [
    [{ discount_amount: '0.01' }, 'Line 1 discount amount is not allowed on this product'],
    [{ unit_price: '19.99' }, 'Line 1 unit price must be greater than or equal to 20.00'],
    [{ modifiers: modifiers('-19.99') }, 'Line 1 modifiers must not lower the price of this product'],
  ] as const)
    expect(await sales.refused(sellFor(line))).toEqual([error]);
  const { id } = await sales.create({ status: 'pending', line_items: [{ product_id: dear, quantity: 1 }] });
  expect(await sales.refused(sales.update(id, { line_items: [{ product_id: dear, quantity: 1, unit_price: 1 }] }))).toHaveLength(1);
  expect(await sellFor({ unit_price: '21.00', modifiers: modifiers('0.50') })).toMatchObject({ subtotal: '21.50' });
});

test('a sale of three lines takes a bounded number of statements', async () => {
  const ids = [1, 2, 3].map(() => sales.product());
  const line_items = ids.map((product_id) => ({ product_id, quantity: 1 }));
  await sales.create({ line_items });
  expect(await sales.statementsOf(() => sales.create({ line_items }))).toBeLessThanOrEqual(5);
});

test('costs are kept on the line and are in no answer and no event', async () => {
  const { id, ...shown } = await sales.create({ line_items: [{ product_id: sales.product({ cost: '0.40' }), quantity: 1 }] });
  const [line] = await sales.run('select cost from sales.sale_line_items where store_id = $1 and sale_id = $2', [store, id]);
  expect(line).toEqual({ cost: '0.40' });
  expect(JSON.stringify([shown, await sales.events(store)])).not.toContain('0.40');
});
