/** Tenders of the register: taken once, in the step that completes the sale, and given back by its void. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { clerk, clerkOf, sales, shareSales, store } from '../../test/sales-under-test.ts';
import { addIntent, releaseIntent } from '../store-credit/credit-intents.ts';
import { sweepIntents } from '../store-credit/sweep-intents.ts';

let tea = 0;
shareSales();
beforeEach(() => {
  tea = sales.product({ price: '10.00' });
});

const line_items = () => [{ product_id: tea, quantity: 1 }];
const cents = (customer: number) => sales.customers.balances.get(customer);
const intents = () => sales.run('select 1 from sales.store_credit_intents where store_id = $1', [store]);

describe('gift cards', () => {
  test('one that refuses leaves a new sale unsold and a parked sale parked', async () => {
    await sales.giftCard({ amount: 5, card_number: 'CARD-2' });
    const payments = [{ method: 'gift_card', amount: 10, card_number: 'CARD-2' }];
    const before = await sales.names();
    const refused = ['Gift card ending in D-2 has only 5.00 available'];
    expect(await sales.refused(sales.create({ line_items: line_items(), payments }))).toEqual(refused);
    expect(await sales.names()).toEqual(before);
    const { id } = await sales.create({ status: 'pending', line_items: line_items(), payments });
    expect(await sales.refused(sales.update(id, { status: 'completed' }))).toEqual(refused);
    expect((await sales.get(id)).status).toBe('pending');
    expect((await sales.lookup('CARD-2')).balance).toBe(5);
  });
});

describe('store credit (D210)', () => {
  test('is taken before the sale is completed, and its events say how much', async () => {
    const customer = await sales.customer(701, 25);
    const payments = [
      { method: 'store_credit', amount: 4 },
      { method: 'store_credit', amount: '2.50' },
      { method: 'cash', amount: 3.5 },
    ];
    const sale = await sales.create({ customer_id: customer, line_items: line_items(), payments });
    expect(cents(customer)).toBe(1_850);
    const [event] = await sales.events(store);
    expect(event!.internal.sale).toMatchObject({ id: sale.id, store_credit: '6.50', customer_id: 701 });
    expect(await intents()).toEqual([]);
    await sales.update(sale.id, { status: 'voided' });
    expect((await sales.events(store)).at(-1)!.internal.sale).toMatchObject({ store_credit: '6.50', counted: true });
  });

  test('too small, or the customers service down: nothing is sold and nothing stays taken', async () => {
    const customer = await sales.customer(702, 9);
    const sale = { customer_id: customer, line_items: line_items(), payment_method: 'store_credit' };
    expect(await sales.refused(sales.create(sale))).toEqual(['Store credit is too small']);
    sales.customers.isDown = true;
    expect((await sales.refusal(sales.create(sale))).status).toBe(500);
    sales.customers.isDown = false;
    expect(await sales.names()).toEqual([]);
    sales.clock.advance(60_000);
    await sweepIntents(sales.app);
    expect(cents(customer)).toBe(900);
    expect(await intents()).toEqual([]);
  });

  test('an answer that is lost is given back, and the parked sale can be completed afterwards', async () => {
    const customer = await sales.customer(703, 10);
    const sent = { status: 'pending', customer_id: customer, line_items: line_items(), payment_method: 'store_credit' };
    const { id } = await sales.create(sent);
    sales.customers.losesAnswers = true;
    expect((await sales.refusal(sales.update(id, { status: 'completed' }))).status).toBe(500);
    sales.customers.losesAnswers = false;
    expect(cents(customer)).toBe(1_000);
    expect((await sales.update(id, { status: 'completed' })).status).toBe('completed');
    expect(cents(customer)).toBe(0);
  });

  test('what a process took and did not complete before it died is given back by the sweep within 60 s, once', async () => {
    const customer = await sales.customer(704, 10);
    const [intent] = await sales.run<{ id: number }>(
      `insert into sales.store_credit_intents (store_id, sale_id, customer_id, amount, created_at)
       values ($1, nextval('sales.sales_id_seq'), $2, 10, $3) returning id`,
      [store, customer, sales.clock.now()],
    );
    await sales.customers.TakeStoreCredit({ intent_id: intent!.id, customer_id: customer, amount: '10.00' });
    sales.clock.advance(29_000);
    await sweepIntents(sales.app);
    expect(cents(customer)).toBe(0);
    sales.customers.isDown = true;
    sales.clock.advance(2_000);
    await sweepIntents(sales.app);
    sales.customers.isDown = false;
    await Promise.all([sweepIntents(sales.app), sweepIntents(sales.app)]);
    expect(cents(customer)).toBe(1_000);
    expect(await intents()).toEqual([]);
  });

  describe('D275: a repetition of a sale whose process died after it had taken the credit', () => {
    const hash = Buffer.alloc(32);
    const left = async (key: string, customerId: number, amount: string) => {
      const caller = { ...clerk, idempotency: { key, hash } };
      const intent = await addIntent(sales.app, { caller }, { saleId: null, customerId, amount });
      await sales.customers.TakeStoreCredit({ intent_id: intent.id, customer_id: customerId, amount });
      return { intent, caller };
    };

    test('completes the sale with that credit, under the id that was reserved', async () => {
      const customer = await sales.customer(706, 10);
      const { intent, caller } = await left('again-1', customer, '10.00');
      const sale = await sales.create({ customer_id: customer, line_items: line_items(), payment_method: 'store_credit' }, caller);
      expect([sale.id, sale.status, cents(customer)]).toEqual([intent.saleId, 'completed', 0]);
      expect(await intents()).toEqual([]);
    });

    test('takes anew what it needs when the price has changed since', async () => {
      const customer = await sales.customer(707, 12);
      const { caller } = await left('again-2', customer, '12.00');
      const sale = await sales.create({ customer_id: customer, line_items: line_items(), payment_method: 'store_credit' }, caller);
      expect([sale.status, cents(customer)]).toEqual(['completed', 200]);
      expect(await intents()).toEqual([]);
    });

    test('is not held to an earlier "not enough"', async () => {
      const customer = await sales.customer(708, 1);
      const caller = { ...clerk, idempotency: { key: 'again-3', hash } };
      const sent = { customer_id: customer, line_items: line_items(), payment_method: 'store_credit' };
      expect(await sales.refused(sales.create(sent, caller))).toEqual(['Store credit is too small']);
      sales.customers.balances.set(customer, 1_000);
      expect((await sales.create(sent, caller)).status).toBe('completed');
    });

    test('keeps its credit from the sweep that had seen it as stale', async () => {
      const customer = await sales.customer(709, 10);
      const { intent, caller } = await left('again-4', customer, '10.00');
      const before = sales.clock.now();
      sales.clock.advance(1);
      await addIntent(sales.app, { caller }, { saleId: null, customerId: customer, amount: '10.00' });
      await releaseIntent(sales.app, clerk, intent, before);
      expect(cents(customer)).toBe(0);
    });
  });

  test('a card that refuses after the credit was taken gives the credit back', async () => {
    const customer = await sales.customer(705, 10);
    await sales.giftCard({ amount: 1, card_number: 'POOR' });
    const payments = [
      { method: 'store_credit', amount: 5 },
      { method: 'gift_card', amount: 5, card_number: 'POOR' },
    ];
    const sale = { customer_id: customer, line_items: line_items(), payments };
    expect(await sales.refused(sales.create(sale))).toEqual(['Gift card ending in OR has only 1.00 available']);
    expect(cents(customer)).toBe(1_000);
  });
});

test('spec: 20 completions beside voids: one sale.completed at most, what is taken is given back', async () => {
  for (let round = 0; round < 4; round++) {
    const customer = await sales.customer(710 + round, 100);
    const number = `MIX-${round}`;
    await sales.giftCard({ amount: 50, card_number: number });
    const payments = [
      { method: 'store_credit', amount: 4 },
      { method: 'gift_card', amount: 6, card_number: number },
    ];
    const { id } = await sales.create({ status: 'pending', customer_id: customer, line_items: line_items(), payments });
    const before = (await sales.names()).length;
    const moves = Array.from({ length: 20 }, (_, n) => (n % 5 === 4 ? 'voided' : 'completed'));
    await Promise.allSettled(moves.map((status) => sales.update(id, { status })));
    await sales.update(id, { status: 'voided' });
    const events = (await sales.events(store)).slice(before);
    const completed = events.filter((event) => event.name === 'sale.completed');
    expect(completed.length).toBeLessThanOrEqual(1);
    expect(events.filter((event) => event.name === 'sale.voided').map((event) => event.internal.sale.counted)).toEqual([
      completed.length === 1,
    ]);
    expect((await sales.lookup(number)).balance).toBe(50);
    // What customers gives back when it hears of the void.
    const owed = completed.length * 400;
    expect(cents(customer)! + owed).toBe(10_000);
    const [ledger] = await sales.run<{ moved: string | null }>(
      'select sum(amount)::text as moved from sales.gift_card_transactions where store_id = $1 and sale_id = $2',
      [store, id],
    );
    expect(Number(ledger!.moved ?? 0)).toBe(0);
    expect(await intents()).toEqual([]);
  }
});

test('20 completions at once of one parked sale: all are answered alike, one event, one tender', async () => {
  const customer = await sales.customer(730, 10);
  const sent = { status: 'pending', customer_id: customer, line_items: line_items(), payment_method: 'store_credit' };
  const { id } = await sales.create(sent);
  const answers = await Promise.allSettled(Array.from({ length: 20 }, () => sales.update(id, { status: 'completed' })));
  expect(answers.some((answer) => answer.status === 'fulfilled')).toBe(true);
  expect((await sales.names()).filter((name) => name === 'sale.completed')).toHaveLength(1);
  expect(cents(customer)).toBe(0);
  expect(await sales.run('select 1 from sales.sale_payments where store_id = $1 and sale_id = $2', [store, id])).toHaveLength(1);
});

test("a day's sales equal the sum of their payments, surcharges apart, whatever was sold and how", async () => {
  const methods = ['cash', 'debit', 'credit', 'e_transfer', 'green_echeck'] as const;
  const tax = { mode: 'split', rate: '', name: '', gstRate: '5', gstName: '', pstRate: '9.975', pstName: '' };
  const taxed = clerkOf(store, { tax });
  const sold = fc.record({
    lines: fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 9_999 }),
        price: fc.integer({ min: 0, max: 99_999 }),
        part: fc.integer({ min: 0, max: 100 }),
      }),
      {
        minLength: 1,
        maxLength: 5,
      },
    ),
    method: fc.constantFrom(...methods),
    surcharge: fc.boolean(),
    void: fc.integer({ min: 0, max: 4 }),
  });
  await holds(
    fc.asyncProperty(sold, async ({ lines, method, surcharge, void: voids }) => {
      const items = lines.map(({ quantity, price, part }) => ({
        product_id: tea,
        quantity: (quantity / 1_000).toFixed(3),
        unit_price: (price / 100).toFixed(2),
        discount_amount: (Math.floor((quantity * price * part) / 100_000 / 100) / 100).toFixed(2),
      }));
      const more = method === 'green_echeck' && surcharge ? { green_echeck_surcharge: '1.50' } : {};
      const parked = await sales.create({ status: 'pending', line_items: items }, taxed);
      const sale = { status: 'completed', payment_method: method, ...(parked.total === '0.00' ? {} : more) };
      await sales.update(parked.id, sale, taxed);
      if (voids === 0) await sales.update(parked.id, { status: 'voided' }, taxed);
    }),
    { numRuns: 60 },
  );
  const [day] = await sales.run<{ sold: string; paid: string; surcharged: string }>(
    `select (select sum(total) from sales.sales where store_id = $1 and status = 'completed') as sold,
       (select sum(p.amount) from sales.sale_payments p join sales.sales s on s.store_id = p.store_id and s.id = p.sale_id
        where s.store_id = $1 and s.status = 'completed') as paid,
       (select coalesce(sum(green_echeck_total_paid - green_echeck_surcharge), 0)
          - coalesce((select sum(amount) from sales.sale_payments p join sales.sales s on s.store_id = p.store_id and s.id = p.sale_id
             where s.store_id = $1 and s.status = 'completed' and method = 'green_echeck'), 0)
        from sales.sales where store_id = $1 and status = 'completed') as surcharged`,
    [store],
  );
  expect(day!.paid).toBe(day!.sold);
  expect(Number(day!.surcharged)).toBe(0);
});
