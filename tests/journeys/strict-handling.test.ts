/** `Prefer: handling=strict` (D255): what an endpoint does not take is refused by name; without it, it is ignored. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type Request, type World } from './world.ts';

let world: World;
let key: string;
let id: number;

beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
  id = (await world.call('POST', '/products', { key, body: { product: { name: 'Lantern', sku: 'S-1' } } })).body.data.id;
});
afterAll(() => world.close());

const strictly = { Prefer: 'handling=strict' };
const strict = (method: string, path: string, request: Request = {}) =>
  world.call(method, path, { key, ...request, headers: { ...strictly, ...request.headers } });

describe('with Prefer: handling=strict', () => {
  test('a misspelt field, a field of staff and a misspelt wrapper are a 422 with messages by field, and nothing is saved', async () => {
    const body = { product: { name: 'Strict', prce: 1, category_ids: [1] }, prodct: {} };
    const answer = await strict('POST', '/products', { body });
    const text = 'is not a field of this request';
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      error: `Validation failed: "product.prce" ${text}, "product.category_ids" ${text}, "prodct" ${text}`,
      errors: { 'product.prce': [text], 'product.category_ids': [text], prodct: [text] },
    });
    expect((await world.call('GET', '/products?search=strict', { key })).body.data).toEqual([]);
  });

  test('of customers it is a 422 with errors alone, before the duplicate check', async () => {
    const customer = { name: 'Strict', phone: '5550001111' };
    expect((await strict('POST', '/customers', { body: { customer } })).status).toBe(201);
    const answer = await strict('POST', '/customers', { body: { customer: { ...customer, city: 'Leeds' }, force: true } });
    const text = 'is not a field of this request';
    expect([answer.status, answer.body]).toEqual([422, { errors: [`"customer.city" ${text}`, `"force" ${text}`] }]);
  });

  test('a misspelt wrapper is named instead of the right one that is missing', async () => {
    const answer = await strict('POST', '/webhook_subscriptions', { body: { subscription: {} } });
    expect([answer.status, answer.body.errors]).toEqual([422, ['"subscription" is not a field of this request']]);
  });

  test('in bulk_upsert it fails the row, and the other rows are saved', async () => {
    const products = [
      { sku: 'S-1', prce: 5 },
      { sku: 'S-2', name: 'Second', current_stock: 4 },
      { sku: 'S-3', name: 'Third' },
    ];
    const answer = await strict('POST', '/products/bulk_upsert', { body: { products } });
    expect(answer.status).toBe(207);
    expect(answer.body.data).toMatchObject({
      created_skus: ['S-3'],
      errors: [
        { index: 0, sku: 'S-1', errors: ['"prce" is not a field of this request'] },
        { index: 1, sku: 'S-2', errors: ['"current_stock" is not a field of this request'] },
      ],
    });
  });

  test('in bulk_update it refuses the request as a whole', async () => {
    const answer = await strict('PATCH', '/products/bulk_update', { body: { product_ids: [id], updates: { pirce: 2 } } });
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation failed: "updates.pirce" is not a field of this request' }]);
  });

  test('a request without anything unknown is answered as ever, and the header says that it was applied', async () => {
    const listed = await strict('GET', '/products?search=lantern&per_page=5');
    expect([listed.status, listed.headers.get('preference-applied')]).toEqual([200, 'handling=strict']);
    const tried = await strict('POST', '/products?dry_run=true', { body: { product: { name: 'Strict', price: 1 } } });
    expect(tried.status).toBe(201);
    const byStaff = { key: undefined, token: world.store.token, body: { product: { category_ids: [] } } };
    expect((await strict('PATCH', `/products/${id}`, byStaff)).status).toBe(200);
  });
});

test.each(['handling=lenient', 'respond-async', 'handling=lenient, handling=strict', 'strict', 'handling=stricter'])(
  'Prefer: %s refuses nothing, and nothing is applied',
  async (prefer) => {
    const answer = await world.call('GET', '/products?serach=lantern', { key, headers: { Prefer: prefer } });
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
  },
);

test.each(['Handling=Strict', 'respond-async, handling="strict"; x=y', 'handling = strict, handling=lenient'])(
  'Prefer: %s is strict',
  async (prefer) => {
    expect((await world.call('GET', '/products?serach=lantern', { key, headers: { Prefer: prefer } })).status).toBe(422);
  },
);

test('without it unknown parameters and fields are ignored', async () => {
  expect((await world.call('GET', '/products?serach=x', { key })).body.data).not.toEqual([]);
  expect((await world.call('POST', '/products', { key, body: { product: { name: 'Lenient', prce: 1 } } })).status).toBe(201);
});
