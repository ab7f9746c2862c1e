/** GET /api/v1/openapi.json, Versioning, and the answers of this suite against the schemas of the document. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Answer, openWorld, type Request, servedEndpoints, type World } from './world.ts';

interface Operation {
  security: Record<string, unknown>[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Operation['responses'][string]> };
}

let world: World;
let key: string;
let document: Document;
let served: Answer;
const validated = new Set<string>();

const id = 'https://api.example.com/openapi.json';
const ajv = addFormats.default(new Ajv2020.default({ strict: false, allErrors: true }));
for (const format of ['int32', 'int64']) ajv.addFormat(format, { type: 'number', validate: Number.isSafeInteger });

beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
  served = await world.call('GET', '/openapi.json');
  document = served.body;
  ajv.addSchema({ $id: id, ...document }, 'document');
});
afterAll(() => world.close());

/** Calls and holds the answer to the schema that the document gives for its status. */
async function call(method: string, path: string, template: string, request: Request): Promise<Answer> {
  const answer = await world.call(method, path, request);
  const operation = document.paths[template]![method.toLowerCase()]!;
  const response = operation.responses[answer.status];
  if (!response) throw new Error(`${method} ${template} answers ${answer.status}, which the document does not name`);
  const found = response.$ref ? document.components.responses[response.$ref.split('/').at(-1)!]! : response;
  const schema = JSON.parse(JSON.stringify(found.content!['application/json']!.schema).replaceAll('"#/', `"${id}#/`));
  const validate = ajv.compile(schema);
  expect([method, path, answer.status, validate(answer.body) ? [] : validate.errors]).toEqual([method, path, answer.status, []]);
  validated.add(`${method} ${template} ${answer.status}`);
  return answer;
}

describe('the document', () => {
  test('needs neither key nor session and is OpenAPI 3.1', () => {
    expect([served.status, document.openapi]).toEqual([200, '3.1.0']);
    expect(served.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('lists every endpoint that is served, and no other', () => {
    const listed = Object.entries(document.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(
      servedEndpoints()
        .map(({ verb, path }) => `${verb} ${path}`)
        .sort(),
    );
  });

  test('each listed endpoint answers OPTIONS with its verb', async () => {
    for (const [path, verbs] of Object.entries(document.paths)) {
      const allowed = (await world.call('OPTIONS', path.replaceAll(/\{\w+\}/g, '1'))).headers.get('allow')?.split(', ') ?? [];
      expect(allowed).toEqual(expect.arrayContaining(Object.keys(verbs).map((verb) => verb.toUpperCase())));
    }
  });

  test('Versioning: "The version is carried in the path prefix `/api/v1`": no other prefix answers', async () => {
    expect([document.info.version, document.servers]).toEqual(['1', [{ url: '/api/v1' }]]);
    for (const prefix of ['', '/api', '/api/v2', '/v1', '/API/V1', '/api/v1x']) {
      const response = await fetch(`${world.baseUrl}${prefix}/products`, { headers: { 'X-API-Key': key } });
      expect([prefix, response.status, await response.text()]).toEqual([prefix, 404, '{"error":"Not found"}']);
    }
  });
});

describe('answers are what the document says', () => {
  const product = { name: 'Schema', sku: 'SC-1', price: 2, cost: 1, low_stock_threshold: 3, description: 'd', barcode: '5' };

  test('to a key', async () => {
    const staff = { token: world.store.token };
    await world.call('POST', '/brands', { ...staff, body: { brand: { name: 'Brand' } } });
    const { id: productId } = (await call('POST', '/products', '/products', { key, body: { product } })).body.data;
    await world.call('POST', '/categories', { ...staff, body: { category: { name: 'Category', product_ids: [productId] } } });
    const family = (await world.call('POST', '/products', { ...staff, body: { product: { name: 'Family', product_type: 'variable' } } }))
      .body;
    const variation = { name: 'Large', option_label: 'Large', product_type: 'variation', parent_id: family.product.id };
    expect((await world.call('POST', '/products', { ...staff, body: { product: variation } })).status).toBe(201);
    await call('GET', `/products/${family.product.id}`, '/products/{id}', { key });
    await call('GET', '/products?per_page=2', '/products', { key });
    await call('GET', '/products/0', '/products/{id}', { key });
    await call('POST', '/products', '/products', { key, body: { product: { name: '' } } });
    await call('POST', '/products', '/products', { key, body: {} });
    await call('POST', '/products/bulk_upsert', '/products/bulk_upsert', { key, body: { products: [product] } });
    await call('POST', '/products/bulk_upsert', '/products/bulk_upsert', { key, body: { products: [product, { sku: '' }, 5] } });
    await call('POST', '/products/bulk_upsert', '/products/bulk_upsert', { key, body: {} });
    const adjustment = { product_id: productId, adjustment_type: 'receive', quantity_change: 4, reason: 'r' };
    await call('POST', '/stock_adjustments', '/stock_adjustments', { key, body: adjustment });
    await call('POST', '/stock_adjustments', '/stock_adjustments', { key, body: { ...adjustment, quantity_change: 0 } });
    await call('POST', '/stock_adjustments', '/stock_adjustments', { key, body: { ...adjustment, product_id: 0 } });
    await call('GET', '/stock_adjustments', '/stock_adjustments', { key });
    await call('GET', '/stock_adjustments?since=x', '/stock_adjustments', { key });
    const update = (updates: object, ids = [productId]) =>
      call('PATCH', '/products/bulk_update', '/products/bulk_update', { key, body: { product_ids: ids, updates } });
    await update({ price: 3, current_stock: 8 });
    await update({ price: -1 });
    await update({ price: 1 }, []);
    await update({ price: 1 }, [987_654]);
    for (const path of ['/brands', '/categories', '/settings', '/key']) await call('GET', path, path, { key });
  });

  test('errors before the endpoint itself', async () => {
    await call('GET', '/products', '/products', { key: 'none' });
    await call('GET', '/products', '/products', {});
    const reader = await world.newKey(world.store, { scopes: ['sales:read'] });
    await call('GET', '/products', '/products', { key: reader });
    await call('PATCH', '/brands/1', '/brands/{id}', { key, body: {} });
    const limited = await world.newKey(world.store, { rate_limit: 1 });
    await call('GET', '/key', '/key', { key: limited });
    await call('GET', '/key', '/key', { key: limited });
    await call('POST', '/products', '/products', { key, raw: Buffer.alloc(5_300_000, 0x20) });
    const store = await world.newStore();
    const own = await world.newKey(store);
    await world.setStore(store, { posSubscription: 'inactive' });
    await call('GET', '/products', '/products', { key: own });
    for (const status of [401, 403, 402, 413, 429]) {
      expect([...validated].some((one) => one.endsWith(` ${status}`))).toBe(true);
    }
  });

  test('the example body of each endpoint of keys is accepted or refused for its ids alone', async () => {
    // A subscription's url is resolved when it is saved, and the example's host is nobody's.
    const tried = servedEndpoints().filter(
      ({ app, example, access }) => example && !access.staffOnly && !access.public && app !== 'webhooks',
    );
    for (const endpoint of tried) {
      const answer = await world.call(endpoint.verb, endpoint.path, { key, raw: endpoint.example });
      expect([endpoint.path, [200, 201, 404].includes(answer.status)]).toEqual([endpoint.path, true]);
    }
  });
});
