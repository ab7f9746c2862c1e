/** Specification: GET /sales, GET /sales/:id, GET /customers/:id/recent_sales, over sales that the register recorded. */
import { describe, expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';
import type { Answer } from '../kit/world.ts';

const world = await useWorld();

const staff = (method: string, path: string, body?: object, token = store.token) => world.call(method, path, { token, body });
const get = (path: string, as = key) => world.call('GET', path, { key: as });
const ids = async (query: string): Promise<number[]> => (await get(`/sales${query}`)).body.data.map(({ id }: { id: number }) => id);
const refused = ({ status, body }: Answer) => [status, body];

const store = world.store;
const key = await world.newKey(store);
const productId = (await staff('POST', '/products', { product: { name: 'White metal lantern', sku: '71053', price: '3.39' } })).body.product
  .id;
const customer = { name: 'Maya Lee', email: 'maya@example.com', phone: '+44 20 7946 0018' };
const customerId = (await staff('POST', '/customers', { customer })).body.customer.id;
const sale = await sell({ customer_id: customerId, receipt_number: 'INV-536365' });
await world.settled();

async function sell(fields: object = {}, token = store.token, product = productId) {
  const answer = await staff('POST', '/sales', { sale: { line_items: [{ product_id: product, quantity: 3 }], ...fields } }, token);
  if (answer.status !== 201) throw new Error(`the sale was refused: ${answer.text}`);
  return answer.body.sale;
}

describe('GET /sales and GET /sales/:id', () => {
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
