/**
 * `Prefer: handling=strict` (D255): what an endpoint does not take is refused by name; without it, it is ignored. Bodies that are refused are
 * in bad-input.jsonl, rows 255 and 283.
 */
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
