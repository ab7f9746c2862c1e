/** `Prefer: handling=strict` (D255): what an endpoint does not take is refused by name; without it, it is ignored. */

import { describe, expect, test } from '@jest/globals';
import { endpoints, optionsOf } from '@store/contract';
import { useWorld } from '../kit/use.ts';
import type { Request } from '../kit/world.ts';

const world = await useWorld();
const key = await world.newKey(world.store);
const id = (await world.call('POST', '/products', { key, body: { product: { name: 'Lantern', sku: 'S-1' } } })).body.data.id;

const strictly = { Prefer: 'handling=strict' };
const strict = (method: string, path: string, request: Request = {}) =>
  world.call(method, path, { key, ...request, headers: { ...strictly, ...request.headers } });

describe('with Prefer: handling=strict', () => {
  test('misspelt and staff fields and wrappers are a 422 by field; nothing is saved', async () => {
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

  test('a request without unknowns is answered as ever, and the header says it applied', async () => {
    const listed = await strict('GET', '/products?search=lantern&per_page=5');
    expect([listed.status, listed.headers.get('preference-applied')]).toEqual([200, 'handling=strict']);
    const tried = await strict('POST', '/products?dry_run=true', { body: { product: { name: 'Strict', price: 1 } } });
    expect(tried.status).toBe(201);
    const byStaff = { key: undefined, token: world.store.token, body: { product: { category_ids: [] } } };
    expect((await strict('PATCH', `/products/${id}`, byStaff)).status).toBe(200);
  });
});

/** Texts that have no form: what nothing has finds nothing. */
const formless = [
  ...['search', 'q', 'category', 'brand', 'sku', 'barcode', 'external_id', 'types', 'resource_type', 'after'],
  // Ends with the path of the request log, whose statuses also have classes; values of these two may be another's.
  ...['status of /requests', 'adjustment_type of /stock_adjustments', 'fulfillment_method of /sales'],
];

/** For each parameter of each GET a value that would be ignored, from its form in the contract. */
const ignored = endpoints()
  .filter(({ httpMethod }) => httpMethod === 'GET')
  .flatMap(({ path, request, access }) =>
    request.fieldsArray
      .filter((field) => field.type === 'string' && !field.repeated && !path.includes(`{${field.name}}`))
      .map((field) => ({ path, name: field.name, byStaff: access.staffOnly, ...ignoredBy(optionsOf(field)) })),
  );

function ignoredBy({ json_type, allowed_values, minimum, maximum }: Record<string, unknown>): { value?: string; text?: string } {
  if (maximum !== undefined) return { value: `${Number(maximum) + 1}`, text: `must be at most ${maximum}` };
  if (minimum !== undefined) return { value: `${Number(minimum) - 1}`, text: `must be at least ${minimum}` };
  if (json_type === 'integer') return { value: '7a', text: 'must be an integer' };
  if (json_type === 'boolean') return { value: 'yes', text: 'must be true or false' };
  if (json_type === 'timestamp') return { value: '21/11/2026', text: 'must be a valid timestamp' };
  if (json_type === 'date') return { value: '20/11/2026', text: 'must be a valid date, such as 2026-11-20' };
  return allowed_values ? { value: 'others', text: `must be one of ${String(allowed_values).replaceAll(',', ', ')}` } : {};
}

describe('D283: strictly a value that would be ignored is a 422 that names it', () => {
  test('every parameter has a form, or is a text', () => {
    const others = ignored.filter(
      ({ value, name, path }) => !value && !formless.includes(name) && !formless.includes(`${name} of ${path}`),
    );
    expect(others).toEqual([]);
    expect(ignored.filter(({ value }) => value).length).toBeGreaterThan(50);
  });

  test.each(ignored.filter(({ value }) => value))('GET $path?$name=$value', async ({ path, name, value, text, byStaff }) => {
    const as = byStaff ? { key: undefined, token: world.store.token } : {};
    const answer = await strict('GET', `${path.replaceAll(/\{\w+\}/g, '1')}?${name}=${encodeURIComponent(value!)}`, as);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([422, expect.stringContaining(`\\"${name}\\" ${text}`)]);
  });

  test.each([
    ['page=1&page=2', '"page" is sent more than once'],
    ['start_date=2026-11-20', '"start_date" has no effect without "end_date"'],
    ['start_date=2026-11-20&end_date=2026-11-20&period=week', '"start_date" has no effect beside "period"'],
    ['period=week&search=R-1', '"period" has no effect beside "search"'],
    ['period=week&status=pending', '"period" has no effect beside "status=pending"'],
    ['customer_id=', '"customer_id" must be an integer'],
  ])('GET /sales?%s', async (query, text) => {
    const answer = await strict('GET', `/sales?${query}`);
    expect([answer.status, answer.body.errors[0]]).toEqual([422, text]);
    expect((await world.call('GET', `/sales?${query}`, { key })).status).toBe(200);
  });

  test('blank text for a parameter that has a default is the default', async () => {
    expect((await strict('GET', '/sales?page=&per_page=')).status).toBe(200);
  });

  test('dates that hold together are taken', async () => {
    expect((await strict('GET', '/sales?start_date=2026-11-20&end_date=2026-11-21&status=completed&page=1')).status).toBe(200);
  });

  test('a price of null or blank text on creation is refused, in rows by row', async () => {
    const answer = await strict('POST', '/products', { body: { product: { name: 'Strict', price: null } } });
    expect([answer.status, answer.body.errors]).toEqual([422, { 'product.price': ["can't be blank"] }]);
    const rows = [
      { sku: 'P-1', name: 'One', price: '' },
      { sku: 'P-2', name: 'Two', price: '2.00' },
    ];
    const bulk = await strict('POST', '/products/bulk_upsert', { body: { products: rows } });
    expect(bulk.body.data).toMatchObject({ created_skus: ['P-2'], errors: [{ index: 0, sku: 'P-1', errors: ['Price is invalid'] }] });
    expect((await world.call('POST', '/products', { key, body: { product: { name: 'Lenient', price: null } } })).status).toBe(201);
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
