/** Specification: Response envelope, General conventions, Pagination parameters. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from './world.ts';

let world: World;
let key: string;
const productCount = 130;

beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
  const products = Array.from({ length: productCount }, (_, index) => ({
    sku: `S${index}`,
    name: `Item ${String(index).padStart(3, '0')}`,
    price: '1.5',
  }));
  await world.call('POST', '/products/bulk_upsert', { key, body: { products } });
});
afterAll(() => world.close());

const get = (path: string, more = {}) => world.call('GET', path, { key, ...more });
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('Response envelope', () => {
  test('"Every successful (2xx) JSON response to a key request is wrapped": data, pagination, meta and nothing else', async () => {
    const list = await get('/products');
    expect(Object.keys(list.body)).toEqual(['data', 'pagination', 'meta']);
    expect(Object.keys(list.body.meta)).toEqual(['request_id', 'timestamp']);
  });

  test('"If the endpoint\'s own response has exactly one top-level key, data is that key\'s value (array for lists, object for one resource)"', async () => {
    const list = await get('/products');
    expect(Array.isArray(list.body.data)).toBe(true);
    const one = await get(`/products/${list.body.data[0].id}`);
    expect(one.body.data.id).toBe(list.body.data[0].id);
    for (const path of ['/brands', '/categories']) expect((await get(path)).body.data).toEqual([]);
    expect((await get('/key')).body.data).toMatchObject({ name: 'ERP' });
  });

  test('"If it has several top-level keys, data is the whole object"', async () => {
    const answer = await world.call('POST', '/products/bulk_upsert', { key, body: { products: [{ sku: 'S0', name: 'Item 000' }] } });
    expect(Object.keys(answer.body.data)).toEqual(['created', 'updated', 'failed', 'created_skus', 'updated_skus', 'errors']);
  });

  test('"pagination: Present only on paginated endpoints: current_page, per_page, total_count, total_pages (all integers)"', async () => {
    const { pagination } = (await get('/products?page=2&per_page=50')).body;
    expect(pagination).toEqual({ current_page: 2, per_page: 50, total_count: productCount, total_pages: 3 });
    for (const path of ['/brands', '/categories', '/settings', '/key']) expect((await get(path)).body).not.toHaveProperty('pagination');
  });

  test('D31: pagination is taken out before the keys are counted, so data of a list is the array itself', async () => {
    expect((await get('/stock_adjustments')).body).toMatchObject({ data: [], pagination: { total_count: 0 } });
  });

  test('"meta: request_id (string), timestamp (ISO 8601 string)"; the request id is the X-Request-Id header', async () => {
    const answer = await get('/products?per_page=1');
    expect(answer.body.meta).toEqual({ request_id: answer.headers.get('x-request-id'), timestamp: world.clock.now().toISOString() });
    expect(answer.body.meta.request_id).toMatch(uuid);
  });

  test('"Error responses (4xx/5xx) are not wrapped"', async () => {
    const answer = await get('/products/0');
    expect([answer.status, answer.text]).toEqual([404, '{"error":"Product not found"}']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test("D5: a staff session gets the endpoint's own response, unwrapped", async () => {
    const answer = await world.call('GET', '/products?per_page=1', { token: world.store.token });
    expect(Object.keys(answer.body)).toEqual(['products', 'pagination']);
  });

  test('D27, D29: the machine code of an error is in X-Error-Code; a body of the plain kind has `error` alone', async () => {
    const answer = await get('/nothing');
    expect(answer.body).toEqual({ error: 'Not found' });
    expect(answer.headers.get('x-error-code')).toBe('not_found');
    expect((await get('/products')).headers.has('x-error-code')).toBe(false);
  });
});

describe('D23: request ids', () => {
  test.each(['abcdefgh', 'A.b_c-1234', 'x'.repeat(128)])('%s is taken over into header and meta', async (id) => {
    const answer = await get('/key', { headers: { 'X-Request-Id': id } });
    expect([answer.headers.get('x-request-id'), answer.body.meta.request_id]).toEqual([id, id]);
  });

  test.each(['short', 'x'.repeat(129), 'has space1', 'semi;colon', '<script>alert', '../../etc', 'ümlaut-12'])(
    '%s is replaced by a UUIDv4',
    async (id) => {
      const answer = await get('/key', { headers: { 'X-Request-Id': id } });
      expect(answer.headers.get('x-request-id')).toMatch(uuid);
    },
  );

  test('an error answer carries one too, and two requests never share one', async () => {
    const [one, two] = [await get('/products/0'), await world.call('GET', '/products')];
    expect(one.headers.get('x-request-id')).toMatch(uuid);
    expect(two.headers.get('x-request-id')).toMatch(uuid);
    expect(one.headers.get('x-request-id')).not.toBe(two.headers.get('x-request-id'));
  });
});

describe('General conventions', () => {
  test('"Timestamps are ISO 8601 strings"; D35: UTC with milliseconds', async () => {
    const { created_at, updated_at } = (await get('/products?per_page=1')).body.data[0];
    for (const at of [created_at, updated_at]) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test('"Products … serialise money as fixed two-decimal strings"; quantities are numbers', async () => {
    const [product] = (await get('/products?per_page=1')).body.data;
    expect(product).toMatchObject({ price: '1.50', effective_price: '1.50', current_stock: 0 });
  });

  test('"On products (top level) … fields with no value are omitted, not sent as null"', async () => {
    const [product] = (await get('/products?per_page=1')).body.data;
    expect(Object.values(product)).not.toContain(null);
    for (const name of ['barcode', 'description', 'option_label', 'brand', 'primary_image_url', 'low_stock_threshold', 'package_size']) {
      expect(product).not.toHaveProperty(name);
    }
    expect(product).toMatchObject({ on_sale: false, in_stock: false, categories: [], variations: [], additional_barcodes: [] });
  });

  test('D39: the stock ledger and brands send null for what has no value', async () => {
    const id = (await get('/products?per_page=1')).body.data[0].id;
    await world.call('POST', '/stock_adjustments', { key, body: { product_id: id, adjustment_type: 'receive', quantity_change: 1 } });
    expect((await get('/stock_adjustments')).body.data[0]).toMatchObject({
      reason: null,
      notes: null,
      approved_by: null,
      warehouse_location: null,
      reconciliation_id: null,
    });
    await world.call('POST', '/brands', { token: world.store.token, body: { brand: { name: 'Lumen' } } });
    expect((await get('/brands')).body.data).toEqual([{ id: expect.any(Number), name: 'Lumen', description: null }]);
  });

  test('"A HEAD request is treated like GET for scope purposes"; D15: same status and headers with Content-Length, no body', async () => {
    const reading = await world.newKey(world.store, { scopes: ['products:read'] });
    const [got, head] = [await world.call('GET', '/brands', { key: reading }), await world.call('HEAD', '/brands', { key: reading })];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(got.text)));
    const writing = await world.newKey(world.store, { scopes: ['products:write'] });
    expect((await world.call('HEAD', '/brands', { key: writing })).status).toBe(403);
    expect((await world.call('HEAD', '/products/0', { key: reading })).status).toBe(404);
  });

  test('D16: OPTIONS is 204 with Allow, without CORS headers and without a key; an unknown path is 404', async () => {
    const answer = await world.call('OPTIONS', '/products');
    expect([answer.status, answer.text, answer.headers.get('allow')]).toEqual([204, '', 'GET, HEAD, POST, OPTIONS']);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await world.call('OPTIONS', '/nothing')).status).toBe(404);
    expect((await world.call('OPTIONS', '/stock_adjustments', { headers: { Origin: 'https://evil.example' } })).headers.get('allow')).toBe(
      'GET, HEAD, POST, OPTIONS',
    );
  });
});

describe('Pagination parameters', () => {
  test.each([
    ['/products', 25],
    ['/stock_adjustments', 100],
  ])('per_page of %s is %i by default', async (path, perPage) => {
    expect((await get(path)).body.pagination.per_page).toBe(perPage);
  });

  test('D33: past the end is [] with true totals; an empty list has total_pages 0', async () => {
    expect((await get('/products?page=7')).body).toMatchObject({
      data: [],
      pagination: { current_page: 7, total_count: productCount, total_pages: 6 },
    });
    expect((await get('/products?page=99999999999999999999')).body.data).toEqual([]);
    const other = await world.newStore();
    const answer = await world.call('GET', '/products', { key: await world.newKey(other) });
    expect(answer.body.pagination).toEqual({ current_page: 1, per_page: 25, total_count: 0, total_pages: 0 });
  });

  test('row 62: of a repeated parameter the last one counts', async () => {
    expect((await get('/products?page=1&page=2')).body.pagination.current_page).toBe(2);
  });
});
