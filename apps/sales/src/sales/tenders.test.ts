/** Tenders of the register: taken once, in the step that completes the sale, and given back by its void. */
import { describe, expect, test } from '@jest/globals';
import { clerk, paid, sales, sell, shareSales, store } from '../../test/sales-under-test.ts';
import { addIntent, releaseIntent } from '../store-credit/credit-intents.ts';
import { sweepIntents } from '../store-credit/sweep-intents.ts';

shareSales({}, { price: '10.00' });

const cents = (customer: number) => sales.customers.balances.get(customer);
const intents = () => sales.run('select 1 from sales.store_credit_intents where store_id = $1', [store]);

describe('gift cards', () => {
  test('one that refuses leaves a new sale unsold and a parked sale parked', async () => {
    await sales.giftCard({ amount: 5, card_number: 'CARD-2' });
    const payments = paid(['gift_card', 10, 'CARD-2']);
    const before = await sales.names();
    const refused = ['Gift card ending in D-2 has only 5.00 available'];
    expect(await sales.refused(sell({ payments }))).toEqual(refused);
    expect(await sales.names()).toEqual(before);
    const { id } = await sell({ status: 'pending', payments });
    expect(await sales.refused(sales.update(id, { status: 'completed' }))).toEqual(refused);
    expect((await sales.get(id)).status).toBe('pending');
    expect((await sales.lookup('CARD-2')).balance).toBe(5);
  });
});

describe('store credit (D210)', () => {
  test('is taken before the sale is completed, and its events say how much', async () => {
    const customer = await sales.customer(701, 25);
    const payments = paid(['store_credit', 4], ['store_credit', '2.50'], ['cash', 3.5]);
    const sale = await sell({ customer_id: customer, payments });
    expect(cents(customer)).toBe(1_850);
    const [event] = await sales.events(store);
    expect(event!.internal.sale).toMatchObject({ id: sale.id, store_credit: '6.50', customer_id: 701 });
    expect(await intents()).toEqual([]);
    await sales.update(sale.id, { status: 'voided' });
    expect((await sales.events(store)).at(-1)!.internal.sale).toMatchObject({ store_credit: '6.50', counted: true });
  });

  test('too little, or customers down: nothing is sold and nothing stays taken', async () => {
    const customer = await sales.customer(702, 9);
    const sale = { customer_id: customer, payment_method: 'store_credit' };
    expect(await sales.refused(sell(sale))).toEqual(['Store credit is too small']);
    sales.customers.isDown = true;
    expect((await sales.refusal(sell(sale))).status).toBe(500);
    sales.customers.isDown = false;
    expect(await sales.names()).toEqual([]);
    sales.clock.advance(60_000);
    await sweepIntents(sales.app);
    expect(cents(customer)).toBe(900);
    expect(await intents()).toEqual([]);
  });

  test('a lost answer is given back, and the parked sale can be completed afterwards', async () => {
    const customer = await sales.customer(703, 10);
    const sent = { status: 'pending', customer_id: customer, payment_method: 'store_credit' };
    const { id } = await sell(sent);
    sales.customers.losesAnswers = true;
    expect((await sales.refusal(sales.update(id, { status: 'completed' }))).status).toBe(500);
    sales.customers.losesAnswers = false;
    expect(cents(customer)).toBe(1_000);
    expect((await sales.update(id, { status: 'completed' })).status).toBe('completed');
    expect(cents(customer)).toBe(0);
  });

  test('what a process took before it died is given back once by the sweep within 60 s', async () => {
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
      const sale = await sell({ customer_id: customer, payment_method: 'store_credit' }, caller);
      expect([sale.id, sale.status, cents(customer)]).toEqual([intent.saleId, 'completed', 0]);
      expect(await intents()).toEqual([]);
    });

    test('takes anew what it needs when the price has changed since', async () => {
      const customer = await sales.customer(707, 12);
      const { caller } = await left('again-2', customer, '12.00');
      const sale = await sell({ customer_id: customer, payment_method: 'store_credit' }, caller);
      expect([sale.status, cents(customer)]).toEqual(['completed', 200]);
      expect(await intents()).toEqual([]);
    });

    test('is not held to an earlier "not enough"', async () => {
      const customer = await sales.customer(708, 1);
      const caller = { ...clerk, idempotency: { key: 'again-3', hash } };
      const sent = { customer_id: customer, payment_method: 'store_credit' };
      expect(await sales.refused(sell(sent, caller))).toEqual(['Store credit is too small']);
      sales.customers.balances.set(customer, 1_000);
      expect((await sell(sent, caller)).status).toBe('completed');
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
    const payments = paid(['store_credit', 5], ['gift_card', 5, 'POOR']);
    const sale = { customer_id: customer, payments };
    expect(await sales.refused(sell(sale))).toEqual(['Gift card ending in OR has only 1.00 available']);
    expect(cents(customer)).toBe(1_000);
  });
});

describe('spec: 20 changes of a parked sale at once complete it once at most', () => {
  /** How often it was completed, and with how many tenders; whatever was taken comes back with the void at the end. */
  async function raced(statuses: string[]) {
    const customer = await sales.customer(710, 100);
    await sales.giftCard({ amount: 50, card_number: 'MIX-1' });
    const payments = paid(['store_credit', 4], ['gift_card', 6, 'MIX-1']);
    const { id } = await sell({ status: 'pending', customer_id: customer, payments });
    await Promise.allSettled(statuses.map((status) => sales.update(id, { status })));
    const taken = await sales.run('select 1 from sales.sale_payments where store_id = $1 and sale_id = $2', [store, id]);
    await sales.update(id, { status: 'voided' });
    const events = await sales.events(store);
    const completed = events.filter(({ name }) => name === 'sale.completed').length;
    const voids = events.filter(({ name }) => name === 'sale.voided').map(({ internal }) => internal.sale.counted);
    expect(voids).toEqual([completed === 1]);
    expect((await sales.lookup('MIX-1')).balance).toBe(50);
    // What customers gives back when it hears of the void.
    expect(cents(customer)! + completed * 400).toBe(10_000);
    const [ledger] = await sales.run<{ moved: string | null }>(
      'select sum(amount)::text as moved from sales.gift_card_transactions where store_id = $1 and sale_id = $2',
      [store, id],
    );
    expect(Number(ledger!.moved ?? 0)).toBe(0);
    expect(await intents()).toEqual([]);
    return { completed, taken: taken.length };
  }

  test('completions alone: one, with both tenders', async () => {
    expect(await raced(Array(20).fill('completed'))).toEqual({ completed: 1, taken: 2 });
  });

  test.each([1, 2, 3])('beside voids, time %i', async () => {
    const { completed } = await raced(Array.from({ length: 20 }, (_, n) => (n % 5 === 4 ? 'voided' : 'completed')));
    expect(completed).toBeLessThanOrEqual(1);
  });
});
