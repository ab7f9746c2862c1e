/** Specification: GET /sales, GET /sales/:id, GET /customers/:id/recent_sales, over sales that the register recorded. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { type Answer, openWorld, type Store, type World } from './world.ts';

let world: World;
let store: Store;
let key: string;
let productId: number;
let customerId: number;
let sale: Record<string, unknown> & { id: number };
beforeAll(async () => {
  world = await openWorld();
  store = world.store;
  key = await world.newKey(store);
  productId = (await staff('POST', '/products', { product: { name: 'White metal lantern', sku: '71053', price: '3.39' } })).body.product.id;
  const customer = { name: 'Maya Lee', email: 'maya@example.com', phone: '+44 20 7946 0018' };
  customerId = (await staff('POST', '/customers', { customer })).body.customer.id;
  sale = await sell({ customer_id: customerId, receipt_number: 'INV-536365' });
  await world.settled();
});
afterAll(() => world.close());

const staff = (method: string, path: string, body?: object, token = store.token) => world.call(method, path, { token, body });
const get = (path: string, as = key) => world.call('GET', path, { key: as });
const ids = async (query: string): Promise<number[]> => (await get(`/sales${query}`)).body.data.map(({ id }: { id: number }) => id);
const refused = ({ status, body }: Answer) => [status, body];

async function sell(fields: object = {}, token = store.token, product = productId) {
  const answer = await staff('POST', '/sales', { sale: { line_items: [{ product_id: product, quantity: 3 }], ...fields } }, token);
  if (answer.status !== 201) throw new Error(`the sale was refused: ${answer.text}`);
  return answer.body.sale;
}

describe('GET /sales and GET /sales/:id', () => {
  test('for a key in the envelope with pagination, for staff as they are; the same shape in both, and as the register answered', async () => {
    const list = await get('/sales');
    expect(Object.keys(list.body)).toEqual(['data', 'pagination', 'meta']);
    expect(list.body.pagination).toEqual({ current_page: 1, per_page: 50, total_count: 1, total_pages: 1 });
    expect(list.body.data).toEqual([sale]);
    expect((await get(`/sales/${sale.id}`)).body.data).toEqual(sale);
    expect((await staff('GET', '/sales')).body).toEqual({ sales: [sale], pagination: list.body.pagination });
    expect((await staff('GET', `/sales/${sale.id}`)).body).toEqual({ sale });
    expect(Object.keys(sale)).toEqual([
      'id',
      'receipt_number',
      'status',
      'source',
      'sale_type',
      'payment_method',
      'subtotal',
      'tax_amount',
      'discount_amount',
      'total',
      'line_items',
      'customer',
      'clerk',
      'completed_at',
      'created_at',
      'updated_at',
    ]);
    expect(sale.customer).toEqual({ id: customerId, name: 'Maya Lee', customer_code: expect.stringMatching(/^C\d{5}$/) });
    const head = await world.call('HEAD', '/sales', { key });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', list.headers.get('content-length')]);
  });

  test('need sales:read; every write of a key is read-only; an unknown sale is a 404', async () => {
    const other = await world.newKey(store, { scopes: ['customers:read'] });
    for (const path of ['/sales', `/sales/${sale.id}`]) {
      expect(refused(await get(path, other))).toEqual([403, { error: 'Insufficient scope. Required: sales:read' }]);
    }
    for (const [method, path] of [
      ['POST', '/sales'],
      ['PATCH', `/sales/${sale.id}`],
      ['DELETE', '/sales/1'],
      ['POST', '/sales/1/anything'],
    ] as const) {
      expect(refused(await world.call(method, path, { key, body: {} }))).toEqual([403, { error: texts.readOnly }]);
    }
    expect(refused(await get('/sales/999999'))).toEqual([404, { error: 'Sale not found' }]);
  });

  test('"With no date parameters only today\'s sales appear"; dates are whole days and both ends are included (D88)', async () => {
    const own = await world.newStore();
    const ownKey = await world.newKey(own);
    const { product } = (await staff('POST', '/products', { product: { name: 'Lantern', price: 1 } }, own.token)).body;
    const at = async (completed_at: string) => (await sell({ completed_at }, own.token, product.id)).id;
    // The last day of summer time in London has 25 hours.
    const sold = [
      await at('2026-10-24T22:59:59.999Z'),
      await at('2026-10-24T23:00:00Z'),
      await at('2026-10-25T23:59:59.999Z'),
      await at('2026-10-26T00:00:00Z'),
    ];
    const list = async (query: string) => (await get(`/sales${query}`, ownKey)).body.data.map(({ id }: { id: number }) => id);
    expect(await list('?start_date=2026-10-25&end_date=2026-10-25')).toEqual([sold[2], sold[1]]);
    expect(await list('?start_date=2026-10-24&end_date=2026-10-26')).toEqual([...sold].reverse());
    const today = await at('2026-11-21T00:00:00Z');
    for (const query of ['', '?period=today', '?period=ever', '?start_date=2026-10-25', '?start_date=2026-10-25&end_date=x']) {
      expect([query, await list(query)]).toEqual([query, [today]]);
    }
    expect(await list('?start_date=2026-10-26&end_date=2026-10-24')).toEqual([]);
  });

  test('"status=pending skips the date window and also returns non-voided sales awaiting local delivery or shipping"', async () => {
    const parked = await sell({ status: 'pending' });
    const shipped = await sell({ fulfillment_method: 'shipping', completed_at: '2026-01-05T10:00:00Z' });
    expect(await ids('?status=pending')).toEqual([shipped.id, parked.id]);
    expect(await ids('?status=pending&fulfillment_method=shipping')).toEqual([shipped.id]);
    await staff('PATCH', `/sales/${shipped.id}`, { sale: { fulfillment_status: 'fulfilled' } });
    await staff('PATCH', `/sales/${parked.id}`, { sale: { status: 'voided' } });
    expect(await ids('?status=pending')).toEqual([]);
    expect(await ids('?status=voided')).toEqual([parked.id]);
  });

  test('a search finds by id, receipt number and customer, and a rename is found and shown at once', async () => {
    for (const term of [String(sale.id), '536365', 'inv-536', 'maya', 'MAYA@EXAMPLE', '442079460018', '7946 0018']) {
      expect([term, await ids(`?search=${encodeURIComponent(term)}`)]).toEqual([term, expect.arrayContaining([sale.id])]);
    }
    expect(await ids('?search=nobody')).toEqual([]);
    await staff('PATCH', `/customers/${customerId}`, { customer: { name: 'Maya Öberg' } });
    await world.settled();
    expect(await ids('?search=%C3%96BERG')).toEqual([sale.id]);
    expect((await get(`/sales/${sale.id}`)).body.data.customer.name).toBe('Maya Öberg');
    expect((await get(`/sales/${sale.id}`)).body.data.updated_at).toBe(sale.updated_at);
  });
});

describe('GET /customers/:id/recent_sales', () => {
  const path = () => `/customers/${customerId}/recent_sales`;

  test('answers the last 5 completed sales, with customers:read alone', async () => {
    const reader = await world.newKey(store, { scopes: ['customers:read'] });
    const sold = [];
    for (let day = 1; day <= 6; day++)
      sold.unshift((await sell({ customer_id: customerId, completed_at: `2026-11-21T0${day}:00:00Z` })).id);
    const answer = await get(path(), reader);
    expect(Object.keys(answer.body)).toEqual(['data', 'meta']);
    expect(answer.body.data.map(({ id }: { id: number }) => id)).toEqual([sale.id, ...sold.slice(0, 4)]);
    expect(refused(await get(path(), await world.newKey(store, { scopes: ['sales:read'] })))).toEqual([
      403,
      { error: 'Insufficient scope. Required: customers:read' },
    ]);
    expect(Object.keys((await staff('GET', path())).body)).toEqual(['sales']);
  });

  test('an unknown customer is a 404, an archived one too; a plan without customers is a 403 with its code', async () => {
    expect(refused(await get('/customers/999999/recent_sales'))).toEqual([404, { error: 'Customer not found' }]);
    const { customer } = (await staff('POST', '/customers', { customer: { name: 'Gone' } })).body;
    expect((await get(`/customers/${customer.id}/recent_sales`)).body.data).toEqual([]);
    await staff('DELETE', `/customers/${customer.id}`);
    await world.settled();
    expect(refused(await get(`/customers/${customer.id}/recent_sales`))).toEqual([404, { error: 'Customer not found' }]);
    const plain = await world.newStore(['developer_api']);
    expect(refused(await get(path(), await world.newKey(plain)))).toEqual([
      403,
      { error: 'Customers is not included in your plan', code: 'feature_not_enabled' },
    ]);
  });
});
