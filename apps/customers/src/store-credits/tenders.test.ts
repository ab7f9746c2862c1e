/** Store credit as a tender: taken once per intent of sales, given back once, in whatever order the calls arrive (D210). */
import { describe, expect, test } from '@jest/globals';
import { sql } from '@store/db';
import { type Json, lockWaits, saleMessage } from '@store/testbed';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { customers, issue, newCustomer, shareCustomers, staff, staffOf, storeId } from '../../test/customers-under-test.ts';

shareCustomers(['customers', 'loyalty']);

const holder = async (amount: string): Promise<number> => {
  const id = await newCustomer();
  await issue(id, amount);
  return id;
};
const voided = (id: number, customer_id: number, store_credit: string) => saleMessage(storeId, 'voided', { id, customer_id, store_credit });
const take = async (intent_id: number, customer_id: number, amount: string, sale_id = intent_id, caller = staff): Promise<Json> =>
  (await customers.call('TakeStoreCredit', { intent_id, sale_id, customer_id, amount }, caller)).json;
const giveBack = async (intent_id: number, sale_id = intent_id): Promise<boolean> =>
  (await customers.call('GiveBackStoreCredit', { intent_id, sale_id }, staff)).json.given_back;
const ledger = (id: number) =>
  customers.run<Json>(
    `select transaction_type, amount::float as amount, balance_before::float as before, balance_after::float as after, sale_id, user_name
     from customers.store_credit_transactions where store_id = $1 and customer_id = $2 order by id`,
    [storeId, id],
  );
const balance = async (id: number): Promise<string> =>
  (await customers.run<{ balance: string }>('select store_credit_balance as balance from customers.customers where id = $1', [id]))[0]!
    .balance;

describe('take', () => {
  test('takes once per intent, names the sale and the staff, and answers what is left', async () => {
    const maya = await holder('20');
    const events = await customers.eventsOf(storeId, () => take(1, maya, '12.50', 77));
    expect(events.map(({ name, body }) => [name, body.data.store_credit_balance])).toEqual([['customer.updated', '7.50']]);
    expect(await take(1, maya, '12.50', 77)).toEqual({ balance: '7.50' });
    const parallel = await Promise.all(Array.from({ length: 10 }, () => take(2, maya, '0.50', 78)));
    expect(new Set(parallel.map((answer) => answer.balance))).toEqual(new Set(['7.00']));
    expect((await ledger(maya)).slice(1)).toEqual([
      { transaction_type: 'redeem', amount: -12.5, before: 20, after: 7.5, sale_id: 77, user_name: 'Max Manager' },
      { transaction_type: 'redeem', amount: -0.5, before: 7.5, after: 7, sale_id: 78, user_name: 'Max Manager' },
    ]);
  });

  test('D211: of 20 sales at exactly enough credit one takes it; it is never below 0', async () => {
    const maya = await holder('10');
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => take(100 + n, maya, '10.00')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balance(maya)).toBe('0.00');
    expect(await customers.refusal(take(200, maya, '0.01'))).toMatchObject({ status: 422, errors: ['Store credit is not enough'] });
    // What was refused left nothing behind: with credit the same intent succeeds.
    await issue(maya, '1');
    expect(await take(200, maya, '0.01')).toEqual({ balance: '0.99' });
  });

  test('an archived, unknown or foreign customer is 422; a taken intent is repeated', async () => {
    const maya = await holder('10');
    await take(1, maya, '4');
    await customers.archive(maya);
    expect(await take(1, maya, '4')).toEqual({ balance: '6.00' });
    expect(await customers.refusal(take(2, maya, '4'))).toMatchObject({ status: 422, errors: ['Customer is archived'] });
    expect(await customers.refusal(take(3, 999_999, '4'))).toMatchObject({ status: 422, errors: ['Customer must exist'] });
    expect(await customers.refusal(take(3, maya, '4', 3, staffOf(storeId + 500)))).toMatchObject({ errors: ['Customer must exist'] });
    for (const amount of ['0', '-1', '', 'x']) expect(await customers.refusal(take(4, maya, amount))).toMatchObject({ status: 422 });
  });
});

describe('give back', () => {
  test('gives back once and refuses a late take of that intent, not another intent', async () => {
    const maya = await holder('10');
    await take(1, maya, '4', 70);
    expect(await giveBack(1, 70)).toBe(true);
    expect(await giveBack(1, 70)).toBe(false);
    expect(await customers.refusal(take(1, maya, '4', 70))).toMatchObject({ status: 422, errors: ['Store credit was given back'] });
    expect(await take(2, maya, '4', 70)).toEqual({ balance: '6.00' });
    expect((await ledger(maya)).map((row) => [row.transaction_type, row.amount])).toEqual([
      ['issue', 10],
      ['redeem', -4],
      ['refund', 4],
      ['redeem', -4],
    ]);
  });

  test('before the take it leaves a mark, and the late take is refused', async () => {
    const maya = await holder('10');
    expect(await giveBack(9)).toBe(false);
    expect(await customers.refusal(take(9, maya, '4'))).toMatchObject({ status: 422, errors: ['Store credit was given back'] });
    expect(await balance(maya)).toBe('10.00');
  });

  test('waits for the lock of the customer and is written at the time after it', async () => {
    const maya = await holder('10');
    await take(1, maya, '4.00');
    let given: Promise<boolean> | undefined;
    await customers.db.unit(storeId, async (em) => {
      await sql(em, 'select 1 from customers.customers where store_id = $1 and id = $2 for update', [storeId, maya]);
      given = giveBack(1);
      await lockWaits(customers.db, 1);
      customers.clock.advance(60_000);
    });
    expect(await given).toBe(true);
    const [last] = await customers.run<{ created_at: Date }>(
      'select created_at from customers.store_credit_transactions where store_id = $1 and customer_id = $2 order by id desc limit 1',
      [storeId, maya],
    );
    expect(last!.created_at).toEqual(customers.clock.now());
  });

  test('take and give back at once, many times over: nothing stays taken', async () => {
    const maya = await holder('100');
    await Promise.allSettled(Array.from({ length: 15 }, (_, n) => [take(n + 1, maya, '1'), giveBack(n + 1), giveBack(n + 1)]).flat());
    expect(await balance(maya)).toBe('100.00');
  });
});

describe('D212: a void', () => {
  test('of a completed sale refunds its credit once, by its user, in the same event', async () => {
    const maya = await holder('10');
    await take(1, maya, '4', 70);
    await customers.publish(saleMessage(storeId, 'completed', { id: 70, customer_id: maya, store_credit: '4.00' }));
    const message = voided(70, maya, '4.00');
    const events = await customers.eventsOf(storeId, async () => {
      await customers.publish(message);
      await customers.publish(message, { ...message, id: 'f6c0a4b2-70a3-4f35-9d34-0a3ad3a6d0aa' });
    });
    expect(events.map(({ body }) => [body.data.store_credit_balance, body.data.lifetime_spend])).toEqual([['10.00', '0.00']]);
    const refund = { transaction_type: 'refund', amount: 4, before: 6, after: 10, sale_id: 70, user_name: 'Sam Hill' };
    expect((await ledger(maya)).at(-1)).toEqual(refund);
    expect(await giveBack(1, 70)).toBe(false);
  });

  test('note 0145: gives it back on top of as much as staff may issue', async () => {
    const maya = await holder('10');
    await take(1, maya, '10.00');
    await issue(maya, '999999999999.99');
    await customers.publish(saleMessage(storeId, 'completed', { id: 1, customer_id: maya, store_credit: '10.00' }));
    await customers.publish(voided(1, maya, '10.00'));
    expect(await balance(maya)).toBe('1000000000009.99');
    expect(await customers.refusal(issue(maya, '0.01'))).toMatchObject({ status: 422, errors: ['Store credit is too large'] });
    expect(await customers.letters()).toEqual([]);
  });

  test('gives it to an archived customer too, without an event (D225)', async () => {
    const maya = await holder('10');
    await take(1, maya, '4', 70);
    await customers.archive(maya);
    const events = await customers.eventsOf(storeId, () => customers.publish(voided(70, maya, '4.00')));
    expect(events).toEqual([]);
    expect(await balance(maya)).toBe('10.00');
  });
});

test('whatever moves at once: before + amount = after, row by row, never below 0', async () => {
  const intent = fc.integer({ min: 1, max: 4 });
  const amount = fc.integer({ min: 1, max: 400 }).map((cents) => (cents / 100).toFixed(2));
  const action = fc.oneof(
    fc.record({ kind: fc.constantFrom('take', 'back', 'void', 'issue', 'redeem', 'expire', 'refund'), intent, amount }),
    fc.record({ kind: fc.constant('adjust'), intent, amount: amount.map((text) => `-${text}`) }),
  );
  let runs = 0;
  await holds(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 20 }), async (actions) => {
      const maya = await holder('5');
      const base = ++runs * 1_000;
      await Promise.allSettled(
        actions.map(({ kind, intent: n, amount: text }) => {
          if (kind === 'take') return take(base + n, maya, text);
          if (kind === 'back') return giveBack(base + n);
          if (kind === 'void') return customers.publish(voided(base + n, maya, '1.00'));
          return customers.credit(maya, { amount: text, transaction_type: kind });
        }),
      );
      let now = 0;
      for (const row of await ledger(maya)) {
        expect([Math.round(row.before * 100), Math.round(row.after * 100)]).toEqual([now, now + Math.round(row.amount * 100)]);
        now += Math.round(row.amount * 100);
        expect(now).toBeGreaterThanOrEqual(0);
      }
      expect(await balance(maya)).toBe((now / 100).toFixed(2));
      const open = await customers.run<{ amount: string }>(
        'select coalesce(sum(amount), 0)::text as amount from customers.store_credit_tenders where store_id = $1 and customer_id = $2 and not given_back',
        [storeId, maya],
      );
      const taken = await customers.run<{ amount: string }>(
        `select coalesce(-sum(amount), 0)::text as amount from customers.store_credit_transactions
         where store_id = $1 and customer_id = $2 and sale_id is not null`,
        [storeId, maya],
      );
      expect(Number(taken[0]!.amount)).toBe(Number(open[0]!.amount));
    }),
    { numRuns: 15 },
  );
  expect(await customers.letters()).toEqual([]);
});
