/** Store credit: a ledger in which before + amount = after, for staff, sales and rewards. */
import { describe, expect, test } from '@jest/globals';
import { changedBetweenReads, type Json } from '@store/testbed';
import { customers, issue, key, keyOf, newCustomer, shareCustomers, staff, staffOf, storeId } from '../../test/customers-under-test.ts';

shareCustomers();

const move = (id: number, store_credit: object) => customers.credit(id, store_credit);
const credit = async (id: number, caller = key): Promise<Json> =>
  (await customers.call('GetStoreCredit', { customer_id: String(id) }, caller)).json.store_credit;
const clerk = () => staffOf(storeId, { actor: { ...staff.actor, role: 'clerk' } });
const snapshot = (caller = key) => customers.call('GetStoreCreditSnapshot', {}, caller);

test("a customer's ledger in pages, newest first, shaped as recent_transactions", async () => {
  const maya = await newCustomer();
  for (const amount of [5, 10, 2.5]) await issue(maya, amount);
  await move(maya, { amount: 7, transaction_type: 'redeem' });
  const page = async (query: object): Promise<Json> =>
    (await customers.call('ListStoreCreditTransactions', { id: String(maya), ...query }, key)).json;
  const whole = await page({});
  expect(whole.transactions).toEqual((await credit(maya)).recent_transactions);
  expect(whole.transactions.map((row: Json) => [row.amount, row.balance_after])).toEqual([
    [-7, 10.5],
    [2.5, 17.5],
    [10, 15],
    [5, 5],
  ]);
  const second = await page({ page: '2', per_page: '3' });
  expect(second.transactions).toEqual(whole.transactions.slice(3));
  expect(second.pagination).toEqual({ current_page: 2, per_page: 3, total_count: 4, total_pages: 2 });
});

describe('GET /store_credits/customer/:customer_id', () => {
  test('Store credit: the customer view, to the byte, and the answer of a movement', async () => {
    const maya = await newCustomer();
    const store_credit = { amount: '25.505', transaction_type: 'issue', notes: 'Lamp' };
    const { text } = await customers.answer('MoveStoreCredit', { store_credit }, staff, { id: maya });
    const { id } = JSON.parse(text).store_credit.recent_transactions[0];
    expect(text).toBe(
      `{"store_credit":{"customer_id":${maya},"customer_name":"Maya Lee","balance":25.51,"recent_transactions":[{"id":${id},` +
        '"transaction_type":"issue","amount":25.51,"balance_before":0,"balance_after":25.51,"notes":"Lamp","sale_id":null,' +
        '"user_name":"Max Manager","created_at":"2026-11-20T12:00:00.000Z"}]}}',
    );
    expect((await customers.call('GetStoreCredit', { customer_id: String(maya) }, key)).text).toBe(text);
  });

  test('D122: without credit the balance is 0; "the 10 most recent" are newest first', async () => {
    const maya = await newCustomer();
    expect(await credit(maya)).toEqual({ customer_id: maya, customer_name: 'Maya Lee', balance: 0, recent_transactions: [] });
    for (let n = 1; n <= 12; n++) await issue(maya, n);
    expect((await credit(maya)).recent_transactions.map(({ amount }: Json) => amount)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  });
});

test("D272, D225: only managers see and pay out an archived customer's credit", async () => {
  const maya = await newCustomer();
  await issue(maya, 12.5);
  await customers.archive(maya);
  expect(await credit(maya, staff)).toMatchObject({ balance: 12.5 });
  expect(await customers.refusal(issue(maya, 1))).toMatchObject({ status: 422, error: 'Validation failed: Customer is archived' });
  const events = await customers.eventsOf(storeId, () => move(maya, { amount: 10, transaction_type: 'redeem', notes: 'Paid in cash' }));
  expect(events).toMatchObject([{ body: null, audit: { action: 'customer.redeem_store_credit', after: { notes: 'Paid in cash' } } }]);
  await move(maya, { amount: '-2.50', transaction_type: 'adjust' });
  expect(await credit(maya, staff)).toMatchObject({ balance: 0 });
  const ledger = (caller = staff) => customers.byId('ListStoreCreditTransactions', maya, caller);
  expect((await ledger()).transactions.map(({ balance_after }: Json) => balance_after)).toEqual([0, 2.5, 12.5]);
  const unseen = { status: 404, error: 'Customer not found' };
  for (const caller of [key, clerk()]) {
    expect(await customers.refusal(ledger(caller))).toEqual(unseen);
    expect(await customers.refusal(credit(maya, caller))).toEqual(unseen);
  }
});

describe('POST /customers/:id/store_credit', () => {
  test('D228: issue, refund, reward add; redeem, expire take; adjust does either, signed', async () => {
    const maya = await newCustomer();
    for (const [transaction_type, amount] of [
      ['issue', 10],
      ['refund', 5],
      ['reward', 1],
      ['redeem', 3],
      ['expire', '0.50'],
      ['adjust', -2],
      ['adjust', 0.25],
    ]) {
      await move(maya, { transaction_type, amount });
    }
    const { balance, recent_transactions } = await credit(maya);
    expect(balance).toBe(10.75);
    expect(recent_transactions.map((row: Json) => [row.transaction_type, row.amount, row.balance_after])).toEqual([
      ['adjust', 0.25, 10.75],
      ['adjust', -2, 10.5],
      ['expire', -0.5, 12.5],
      ['redeem', -3, 13],
      ['reward', 1, 16],
      ['refund', 5, 15],
      ['issue', 10, 10],
    ]);
  });

  test('it is one customer.updated with its audit entry', async () => {
    const maya = await newCustomer();
    const events = await customers.eventsOf(storeId, () => move(maya, { transaction_type: 'issue', amount: 10, notes: 'Lamp' }));
    const [before, after] = [{ store_credit_balance: '0.00' }, { store_credit_balance: '10.00' }];
    const audit = { action: 'customer.issue_store_credit', before, after: { ...after, notes: 'Lamp' } };
    expect(events).toMatchObject([{ name: 'customer.updated', body: { data: { id: maya, ...after } }, audit }]);
    expect(await customers.get(maya)).toMatchObject(after);
  });

  test.each([
    [{ transaction_type: 'adjust', amount: -10.01 }, 'Store credit is not enough'],
    [{ transaction_type: 'issue', amount: 999999999999.99 }, 'Store credit is too large'],
  ])('%j is a 422 and moves nothing', async (body, message) => {
    const maya = await newCustomer();
    await issue(maya, 10);
    expect(await customers.refusal(move(maya, body))).toMatchObject({ status: 422, errors: [message] });
    expect((await credit(maya)).recent_transactions).toHaveLength(1);
  });
});

test('credit is read as of one moment: its balance is that of the newest transaction', async () => {
  const maya = await newCustomer();
  await issue(maya, 5);
  const [change, read] = [() => issue(maya, 3), () => credit(maya)];
  const view = await changedBetweenReads(customers.app.db, change, read);
  expect([view.balance, view.recent_transactions.map((row: Json) => row.balance_after)]).toEqual([5, [5]]);
  expect((await credit(maya)).recent_transactions).toHaveLength(2);
});

describe('GET /store_credits/snapshot', () => {
  test('every customer with credit by id, archived ones and other stores left out', async () => {
    const [maya, noah, empty, archived] = [await newCustomer(), await newCustomer(), await newCustomer(), await newCustomer()];
    for (const id of [noah, maya, archived]) await issue(id, '12.5');
    await issue(empty, 1);
    await move(empty, { amount: 1, transaction_type: 'redeem' });
    await customers.archive(archived);
    const { text, headers } = await snapshot();
    expect(text).toBe(
      `{"credits":[{"customer_id":${maya},"balance":12.5},{"customer_id":${noah},"balance":12.5}],"generated_at":"2026-11-20T12:00:00.000Z"}`,
    );
    expect(headers['x-truncated']).toBeUndefined();
    expect((await snapshot(keyOf(storeId + 500))).json.credits).toEqual([]);
  });

  test('D45: 5,001 are cut to the 5,000 lowest ids with X-Truncated; 5,000 are whole', async () => {
    await customers.run(
      `insert into customers.customers (store_id, name, customer_code, store_credit_balance, created_at, updated_at)
       select $1, 'n', 'C' || (20000 + n), n, now(), now() from generate_series(1, 5001) n`,
      [storeId],
    );
    const { json, headers } = await snapshot();
    expect([json.credits.length, headers['x-truncated']]).toEqual([5_000, 'true']);
    expect(json.credits.map(({ balance }: Json) => balance)).toEqual(Array.from({ length: 5_000 }, (_, n) => n + 1));
    const poorest = 'store_id = $1 and store_credit_balance = 1';
    await customers.run(`update customers.customers set store_credit_balance = 0 where ${poorest}`, [storeId]);
    const whole = await snapshot();
    expect([whole.json.credits.length, whole.headers['x-truncated']]).toEqual([5_000, undefined]);
  });
});
