/** Specification: Store credits, for keys and for staff, and as a tender at the register. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { type Answer, openWorld, type World } from './world.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
});
afterAll(() => world.close());

const get = (path: string, as = key) => world.call('GET', path, { key: as });
const staff = (method: string, path: string, body?: unknown) => world.call(method, path, { token: world.store.token, body });
const refused = ({ status, body }: Answer) => [status, body];
const newCustomer = async (name: string): Promise<number> => (await staff('POST', '/customers', { customer: { name } })).body.customer.id;
const move = (id: number, amount: number, transaction_type = 'issue') =>
  staff('POST', `/customers/${id}/store_credit`, { store_credit: { amount, transaction_type } });
const balance = async (id: number) => (await get(`/store_credits/customer/${id}`)).body.data.balance;

describe('for a key, in the envelope', () => {
  test('the customer view is data, as staff see it unwrapped', async () => {
    const id = await newCustomer('Maya Lee');
    const issued = await staff('POST', `/customers/${id}/store_credit`, {
      store_credit: { amount: '25.50', transaction_type: 'issue', notes: 'Returned lamp' },
    });
    expect([issued.status, Object.keys(issued.body)]).toEqual([201, ['store_credit']]);
    const shown = await get(`/store_credits/customer/${id}`);
    expect([Object.keys(shown.body), shown.body.data]).toEqual([['data', 'meta'], issued.body.store_credit]);
    expect(shown.body.data).toMatchObject({ customer_id: id, customer_name: 'Maya Lee', balance: 25.5 });
    expect(Object.keys(shown.body.data.recent_transactions[0])).toEqual([
      'id',
      'transaction_type',
      'amount',
      'balance_before',
      'balance_after',
      'notes',
      'sale_id',
      'user_name',
      'created_at',
    ]);
    expect((await get(`/customers/${id}`)).body.data.store_credit_balance).toBe('25.50');
  });

  test('the snapshot is data with credits and generated_at; cut at 5,000 it says so in a header, for HEAD too', async () => {
    const store = await world.newStore();
    const as = await world.newKey(store);
    const { customer } = (await world.call('POST', '/customers', { token: store.token, body: { customer: { name: 'One' } } })).body;
    await world.call('POST', `/customers/${customer.id}/store_credit`, {
      token: store.token,
      body: { store_credit: { amount: 3, transaction_type: 'issue' } },
    });
    const snapshot = await get('/store_credits/snapshot', as);
    const credits = [{ customer_id: customer.id, balance: 3 }];
    expect(snapshot.body.data).toEqual({ credits, generated_at: world.clock.now().toISOString() });
    expect(snapshot.headers.get('X-Truncated')).toBeNull();
    await world.database.query(
      `insert into customers.customers (store_id, name, customer_code, store_credit_balance, created_at, updated_at)
       select $1, 'n', 'C' || (20000 + n), 1, now(), now() from generate_series(1, 5000) n`,
      [store.id],
    );
    const cut = await get('/store_credits/snapshot', as);
    expect([cut.body.data.credits.length, cut.body.data.credits[0], cut.headers.get('X-Truncated')]).toEqual([5_000, credits[0], 'true']);
    expect((await world.call('HEAD', '/store_credits/snapshot', { key: as })).headers.get('X-Truncated')).toBe('true');
  });

  test("an unknown, archived or other store's customer is 404 Customer not found", async () => {
    const [id, archived] = [await newCustomer('Noah'), await newCustomer('Ola')];
    await move(archived, 5);
    await staff('DELETE', `/customers/${archived}`);
    const foreign = await world.newKey(await world.newStore());
    const gone = [404, { error: 'Customer not found' }];
    for (const [wrong, as] of [
      [id, foreign],
      [archived, key],
      [999_999, key],
      ['x', key],
    ] as const) {
      expect(refused(await get(`/store_credits/customer/${wrong}`, as))).toEqual(gone);
    }
    const { credits } = (await get('/store_credits/snapshot')).body.data;
    expect(credits.map(({ customer_id }: { customer_id: number }) => customer_id)).not.toContain(archived);
  });

  test('D1: no key writes it, and a read needs store_credits:read; plan features do not matter (D249)', async () => {
    for (const [method, path, error] of [
      ['POST', '/store_credits/customer/1', texts.readOnly],
      ['DELETE', '/store_credits/anything', texts.readOnly],
      ['POST', '/customers/1/store_credit', texts.internal],
    ] as const) {
      expect(refused(await world.call(method, path, { key, raw: '{' }))).toEqual([403, { error }]);
    }
    const other = await world.newKey(world.store, { scopes: ['customers:read'] });
    for (const path of ['/store_credits/snapshot', '/store_credits/customer/1']) {
      expect(refused(await get(path, other))).toEqual([403, { error: 'Insufficient scope. Required: store_credits:read' }]);
    }
    const poor = await world.newKey(await world.newStore(['developer_api']));
    expect((await get('/store_credits/snapshot', poor)).status).toBe(200);
  });
});

describe('at the register', () => {
  const newProduct = async () => (await staff('POST', '/products', { product: { name: 'Lamp', price: '10.00' } })).body.product.id;
  const sell = async (customer_id: number, product_id: number) =>
    staff('POST', '/sales', { sale: { customer_id, payment_method: 'store_credit', line_items: [{ product_id, quantity: 1 }] } });

  test('a sale takes the credit, its void gives it back, and the ledger names the sale', async () => {
    const [id, product] = [await newCustomer('Pia'), await newProduct()];
    await move(id, 15);
    await world.settled();
    const sold = await sell(id, product);
    expect([sold.status, await balance(id)]).toEqual([201, 5]);
    const { id: saleId } = sold.body.sale;
    expect((await staff('PATCH', `/sales/${saleId}`, { sale: { status: 'voided' } })).status).toBe(200);
    await world.settled();
    const { recent_transactions } = (await get(`/store_credits/customer/${id}`)).body.data;
    const rows = recent_transactions.map((row: Record<string, unknown>) => [
      row.transaction_type,
      row.amount,
      row.balance_after,
      row.sale_id,
    ]);
    expect(rows).toEqual([
      ['refund', 10, 15, saleId],
      ['redeem', -10, 5, saleId],
      ['issue', 15, 15, null],
    ]);
  });

  test('D211: two registers at exactly enough credit: one sells, the other is 422 and takes nothing', async () => {
    const [id, product] = [await newCustomer('Quin'), await newProduct()];
    await move(id, 10);
    await world.settled();
    const answers = await Promise.all([sell(id, product), sell(id, product)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(await balance(id)).toBe(0);
  });
});
