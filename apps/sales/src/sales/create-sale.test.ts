/** POST /sales: what the register records, and what it refuses. */
import { describe, expect, test } from '@jest/globals';
import { noTax } from '@store/rpc';
import { clerk, newStore, register, shareRegister, store } from '../../test/shared-register.ts';
import { keyOf } from '../../test/start-sales.ts';

shareRegister({ tax: { ...noTax, mode: 'single', rate: '20.00' } });

const now = '2026-11-20T12:00:00.000Z';

test('golden: a sale has exactly these keys, in this order, of these types', async () => {
  const lantern = register.product(store, { name: 'Lantern', sku: 'L-1', price: '3.39', cost: '1.20' });
  const customer = await register.customer(store, 501);
  const modifiers = [{ name: 'Gift wrap', quantity: 1, price_adjustment: '0.50' }];
  const line_items = [{ product_id: lantern, quantity: 3, modifiers, note: 'No ribbon', discount_amount: '0.67', kitchen_item: true }];
  const { text } = await register.answer('CreateSale', { sale: { customer_id: customer, line_items, discount_amount: 1 } }, clerk);
  const { id, line_items: lines } = JSON.parse(text).sale;
  expect(text).toBe(
    JSON.stringify({
      sale: {
        id,
        receipt_number: 'R-1001',
        status: 'completed',
        source: 'pos',
        sale_type: 'retail',
        payment_method: 'cash',
        subtotal: '11.67',
        tax_amount: '2.00',
        discount_amount: '1.67',
        total: '12.00',
        line_items: [
          {
            id: lines[0].id,
            product_id: lantern,
            product_name: 'Lantern',
            sku: 'L-1',
            quantity: 3,
            unit_price: '3.39',
            discount_amount: '0.67',
            total: '11.00',
            kitchen_item: true,
            modifiers: [{ name: 'Gift wrap', quantity: 1, price_adjustment: '0.50', removed: false }],
            note: 'No ribbon',
          },
        ],
        customer: { id: 501, name: 'Maya Lee', customer_code: 'C10501' },
        clerk: 'Cleo Clerk',
        completed_at: now,
        created_at: now,
        updated_at: now,
      },
    }),
  );
  expect(register.catalog.asked).toBe(1);
});

test('spec, Events: sale.completed fires at creation, once, with the sale as it was answered; a pending sale fires nothing', async () => {
  const tea = register.product(store, { name: 'Tea', sku: 'T' });
  const line_items = [{ product_id: tea, quantity: '0.250' }];
  const events = await register.eventsOf(store, async () => {
    const sale = await register.create({ line_items }, clerk);
    const [event] = await register.events(store);
    expect(event!.body).toMatchObject({ event: 'sale.completed', resource_type: 'Sale', resource_id: sale.id, data: sale });
    await register.create({ status: 'pending', line_items }, clerk);
  });
  expect(events.map((event) => [event.name, event.body === null, event.audit?.action])).toEqual([
    ['sale.completed', false, 'sale.create'],
    ['sale.created', true, 'sale.create'],
  ]);
  expect(events[0]!.internal.sale).toEqual({
    id: events[0]!.body.resource_id,
    receipt_number: 'R-1001',
    counted: true,
    customer_id: null,
    subtotal: '0.25',
    discount_amount: '0.00',
    total: '0.30',
    store_credit: '0.00',
    loyalty: false,
    user: { id: 7, name: 'Cleo Clerk' },
    lines: [{ product_id: tea, product_name: 'Tea', sku: 'T', quantity: '0.250', bundle: false }],
  });
});

test('spec: fields without a value are left out; a walk-in sale of nothing owed has no tender', async () => {
  const gift = register.product(store, { price: '0.00' });
  const sale = await register.create({ line_items: [{ product_id: gift, quantity: 1 }] }, clerk);
  for (const field of ['payment_method', 'customer', 'voided_at', 'void_reason', 'green_echeck_surcharge', 'green_echeck_total_paid'])
    expect(sale).not.toHaveProperty(field);
  expect(sale.line_items[0]).not.toHaveProperty('sku');
  expect(sale.line_items[0]).not.toHaveProperty('note');
  expect(sale.line_items[0].modifiers).toEqual([]);
});

describe('tenders (D209, D237)', () => {
  test('two or more make the method split; they sum up to the total', async () => {
    const tea = register.product(store, { price: '10.00' });
    const sell = (payments: object[]) => register.create({ line_items: [{ product_id: tea, quantity: 1 }], payments }, clerk);
    expect(
      (
        await sell([
          { method: 'cash', amount: 5 },
          { method: 'debit', amount: '7.00' },
        ])
      ).payment_method,
    ).toBe('split');
    expect((await sell([{ method: 'e_transfer', amount: 12 }])).payment_method).toBe('e_transfer');
    const wrong = ['Payments must sum up to the total of 12.00'];
    expect(await register.refused(sell([{ method: 'cash', amount: '11.99' }]))).toEqual(wrong);
    expect(
      await register.refused(
        sell([
          { method: 'cash', amount: 12 },
          { method: 'cash', amount: 1 },
        ]),
      ),
    ).toEqual(wrong);
    expect(await register.refused(sell([]))).toEqual(wrong);
  });

  test('a Green eCheck surcharge stands outside payments and total, and its keys are there exactly with such a tender', async () => {
    const tea = register.product(store, { price: '10.00' });
    const line_items = [{ product_id: tea, quantity: 1 }];
    expect(await register.create({ line_items, payment_method: 'green_echeck', green_echeck_surcharge: '1.5' }, clerk)).toMatchObject({
      total: '12.00',
      green_echeck_surcharge: '1.50',
      green_echeck_total_paid: '13.50',
    });
    const payments = [
      { method: 'green_echeck', amount: 4 },
      { method: 'cash', amount: 8 },
    ];
    expect(await register.create({ line_items, payments }, clerk)).toMatchObject({
      green_echeck_surcharge: '0.00',
      green_echeck_total_paid: '4.00',
    });
    expect(await register.refused(register.create({ line_items, green_echeck_surcharge: 1 }, clerk))).toEqual([
      'Green echeck surcharge needs a Green eCheck payment',
    ]);
  });
});

describe('what can be sold (D219)', () => {
  test('everything that is wrong is said at once, and nothing is kept', async () => {
    const parent = register.product(store, { hasVariations: true });
    const blocked = register.product(store, { price: '5.00', blockManualDiscounts: true });
    const plain = register.product(store, { price: '5.00' });
    const line_items = [
      { product_id: 999_999, quantity: 1 },
      { product_id: parent, quantity: 1 },
      { product_id: blocked, quantity: 1, discount_amount: 1 },
      { product_id: plain, quantity: 1, discount_amount: '5.01' },
      { product_id: plain, quantity: 1, modifiers: [{ name: 'Refund', price_adjustment: -6 }] },
    ];
    const events = await register.eventsOf(store, async () => {
      expect(await register.refused(register.create({ line_items }, clerk))).toEqual([
        'Line 1 product is unknown',
        'Line 2 product has variations; sell a variation instead',
        'Line 3 discount amount is not allowed on this product',
        'Line 4 discount amount must be less than or equal to 5.00',
        'Line 5 total must be greater than or equal to 0',
      ]);
    });
    expect(events).toEqual([]);
  });

  test("a sale's discount is at most its lines that may be discounted", async () => {
    const blocked = register.product(store, { price: '5.00', blockManualDiscounts: true });
    const plain = register.product(store, { price: '3.00' });
    const line_items = [blocked, plain].map((product_id) => ({ product_id, quantity: 1 }));
    expect(await register.refused(register.create({ line_items, discount_amount: '3.01' }, clerk))).toEqual([
      'Discount amount must be less than or equal to 3.00',
    ]);
    expect(await register.create({ line_items, discount_amount: '3.00' }, clerk)).toMatchObject({
      discount_amount: '3.00',
      tax_amount: '1.00',
    });
  });

  test("another store's product is unknown, and catalog down sells nothing", async () => {
    const theirs = register.product(store + 1_000);
    const line_items = [{ product_id: theirs, quantity: 1 }];
    expect(await register.refused(register.create({ line_items }, clerk))).toEqual(['Line 1 product is unknown']);
    register.catalog.isDown = true;
    const refusal = await register.refusal(register.create({ line_items }, clerk));
    register.catalog.isDown = false;
    expect(refusal.status).toBe(500);
  });
});

test('D200, D248: 500 lines, 50 modifiers and 20 payments pass, one more of each is a 422', async () => {
  const tea = register.product(store, { price: '0.10' });
  const list = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
  const line = { product_id: tea, quantity: 1 };
  const payments = [...list(19, { method: 'cash', amount: 1 }), { method: 'debit', amount: 41 }];
  expect((await register.create({ line_items: list(500, line), payments }, clerk)).line_items).toHaveLength(500);
  const modifiers = list(50, { name: 'Sugar' });
  await register.create({ line_items: [{ ...line, modifiers }] }, clerk);
  expect(await register.refused(register.create({ line_items: list(501, line) }, clerk))).toEqual([
    'Line items is too long (maximum is 500)',
  ]);
  const many = { ...line, modifiers: [...modifiers, { name: 'Milk' }] };
  expect(await register.refused(register.create({ line_items: [many] }, clerk))).toEqual(['Line 1 modifiers is too long (maximum is 50)']);
  const paid = { line_items: [line], payments: list(21, { method: 'cash', amount: 1 }) };
  expect(await register.refused(register.create(paid, clerk))).toEqual(['Payments is too long (maximum is 20)']);
});

test('D225, D234: an archived customer takes no new sale', async () => {
  const tea = register.product(store);
  const { customerMessage } = await import('../../test/start-sales.ts');
  await register.publish(customerMessage(store, { id: 77, archived: true }));
  const sale = { customer_id: 77, line_items: [{ product_id: tea, quantity: 1 }] };
  expect(await register.refused(register.create(sale, clerk))).toEqual(['Customer id is archived']);
});

describe('receipt numbers (D236)', () => {
  const sell = (sale: object = {}) => {
    const tea = register.product(store);
    return register.create({ line_items: [{ product_id: tea, quantity: 1 }], ...sale }, clerk);
  };

  test('one that is sent is kept, and refused when it is taken in this store', async () => {
    expect((await sell({ receipt_number: ' 536365 ' })).receipt_number).toBe('536365');
    expect(await register.refused(sell({ receipt_number: '536365' }))).toEqual(['Receipt number has already been taken']);
    newStore();
    expect((await sell({ receipt_number: '536365' })).receipt_number).toBe('536365');
  });

  test("the store's own are handed out once each, and one that a client used before is skipped", async () => {
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
      register.run(
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
    expect(await register.statementsOf(sellOne)).toBeLessThanOrEqual(8);
    await sellOne();
    expect(numbers).toEqual(['R-1800', 'R-1801']);
  });
});

test('D185: a request that is retried with the same Idempotency-Key sells once, 20 at once included', async () => {
  const tea = register.product(store);
  const idempotency = { key: 'till-1-42', hash: Buffer.alloc(32, 1) };
  const body = { sale: { line_items: [{ product_id: tea, quantity: 1 }] } };
  const answers = await Promise.all(Array.from({ length: 20 }, () => register.answer('CreateSale', body, { ...clerk, idempotency })));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers['idempotency-replayed'] === 'true')).toHaveLength(19);
  expect((await register.events(store)).map((event) => event.name)).toEqual(['sale.completed']);
});

test('a sale of the past keeps its time and is created now', async () => {
  const tea = register.product(store);
  const sale = await register.create({ completed_at: '2026-11-01T10:00:00', line_items: [{ product_id: tea, quantity: 1 }] }, clerk);
  expect(sale).toMatchObject({ completed_at: '2026-11-01T10:00:00.000Z', created_at: now });
});

test('D274: up to five minutes ahead, a completion is now', async () => {
  const tea = register.product(store);
  for (const completed_at of ['2026-11-20T12:00:02Z', '2026-11-20T12:05:00Z'])
    expect(await register.create({ completed_at, line_items: [{ product_id: tea, quantity: 1 }] }, clerk)).toMatchObject({
      completed_at: now,
    });
});

test('D270: a product that takes no manual discount is sold for no less, whatever the discount is called', async () => {
  const tea = register.product(store, { price: '20.00', blockManualDiscounts: true });
  const sell = (line: object) => register.create({ line_items: [{ product_id: tea, quantity: 1, ...line }] }, clerk);
  const modifiers = (price_adjustment: string) => [{ name: 'Sugar', price_adjustment }];
  for (const [line, error] of [
    [{ discount_amount: '0.01' }, 'Line 1 discount amount is not allowed on this product'],
    [{ unit_price: '19.99' }, 'Line 1 unit price must be greater than or equal to 20.00'],
    [{ modifiers: modifiers('-19.99') }, 'Line 1 modifiers must not lower the price of this product'],
  ] as const)
    expect(await register.refused(sell(line))).toEqual([error]);
  const { id } = await register.create({ status: 'pending', line_items: [{ product_id: tea, quantity: 1 }] }, clerk);
  expect(
    await register.refused(register.update(id, { line_items: [{ product_id: tea, quantity: 1, unit_price: 1 }] }, clerk)),
  ).toHaveLength(1);
  expect(await sell({ unit_price: '21.00', modifiers: modifiers('0.50') })).toMatchObject({ subtotal: '21.50' });
});

test('D217: 1,000.00 at 5 and 9.975 carries 149.75', async () => {
  const tea = register.product(store, { price: '1000.00' });
  const tax = { ...clerk.tax, mode: 'split', gstRate: '5.00', pstRate: '9.975' };
  expect(await register.create({ line_items: [{ product_id: tea, quantity: 1 }] }, { ...clerk, tax })).toMatchObject({
    tax_amount: '149.75',
  });
});

test('a sale of three lines takes a bounded number of statements', async () => {
  const ids = [1, 2, 3].map(() => register.product(store));
  const line_items = ids.map((product_id) => ({ product_id, quantity: 1 }));
  await register.create({ line_items }, clerk);
  expect(await register.statementsOf(() => register.create({ line_items }, clerk))).toBeLessThanOrEqual(5);
});

test('costs are kept on the line and are in no answer and no event', async () => {
  const tea = register.product(store, { cost: '0.40' });
  const sale = await register.create({ line_items: [{ product_id: tea, quantity: 1 }] }, clerk);
  const [line] = await register.run<{ cost: string }>('select cost from sales.sale_line_items where store_id = $1 and sale_id = $2', [
    store,
    sale.id,
  ]);
  expect(line!.cost).toBe('0.40');
  expect(JSON.stringify([sale, await register.events(store)])).not.toContain('0.40');
  expect(keyOf(store).storeId).toBe(store);
});
