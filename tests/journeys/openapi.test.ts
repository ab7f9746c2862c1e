/** GET /api/v1/openapi.json and /api/v1/staff/openapi.json, Versioning, and the answers of this suite against the schemas of the document. */
import { describe, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { faultsBy } from '../../tools/conform/contract.ts';
import { useWorld } from '../kit/use.ts';
import type { Answer, Request } from '../kit/world.ts';

const validated = new Set<string>();

const world = await useWorld();
const key = await world.newKey(world.store);
const served = await world.call('GET', '/openapi.json');
const document: { openapi: string; servers: { url: string }[] } = served.body;
const [ofKeys, ofStaff] = [faultsBy(document), faultsBy((await world.call('GET', '/staff/openapi.json')).body)];

/** Calls the endpoint and validates the answer against the schema that the document gives for its status. */
async function call(method: string, path: string, template: string, request: Request): Promise<Answer> {
  const answer = await world.call(method, path, request);
  const faults = (request.token === undefined ? ofKeys : ofStaff)(method, template, answer.status, answer.body);
  expect([method, path, answer.status, faults]).toEqual([method, path, answer.status, []]);
  validated.add(`${method} ${template} ${answer.status}`);
  return answer;
}

describe('the document', () => {
  test('needs neither key nor session and is OpenAPI 3.1', () => {
    expect([served.status, document.openapi]).toEqual([200, '3.1.0']);
    expect(served.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('names the guides, which are served beside it without a key', async () => {
    const { externalDocs } = served.body as { externalDocs: { url: string } };
    for (const [url, type, title] of [
      [externalDocs.url, 'text/html; charset=utf-8', '<h1'],
      ['/api/v1/docs/api.md', 'text/markdown; charset=utf-8', '# Guide for integrators'],
      ['/api/v1/docs/webhooks.md', 'text/markdown; charset=utf-8', '# Webhooks for receivers'],
    ]) {
      const response = await fetch(new URL(url!, world.baseUrl));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
      expect(await response.text()).toContain(title);
    }
  });

  test('"The version is carried in the path prefix `/api/v1`": no other prefix answers', async () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['/api/v1']);
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
    // Of a product with variations the price is saved, and the stock is not.
    await update({ price: 1, current_stock: 1 }, [productId, family.product.id]);
    await update({ price: 1 }, []);
    await update({ price: 1 }, [987_654]);
    for (const path of ['/brands', '/categories', '/settings', '/key', '/events', '/webhook_subscriptions']) {
      await call('GET', path, path, { key });
    }
  });

  test('to staff, from their own document (D155)', async () => {
    const { token } = world.store;
    const product_id = (
      await call('POST', '/products', '/products', { token, body: { product: { name: 'By staff', sku: 'ST-1', category_ids: [1] } } })
    ).body.product.id;
    await call('PATCH', `/products/${product_id}`, '/products/{id}', { token, body: { product: { price: '2.50' } } });
    await call('PATCH', `/products/${product_id}`, '/products/{id}', { token, body: { product: { price: 'x' } } });
    await call('GET', `/products/${product_id}`, '/products/{id}', { token });
    for (const path of ['/products', '/stock_adjustments', '/audit_entries']) await call('GET', path, path, { token });
    for (const path of ['/settings', '/api_keys', '/staff_users', '/webhook_monitor', '/webhook_notices'])
      await call('GET', path, path, { token });
    for (const path of ['/promotions', '/revenue_centers', '/warehouse_locations']) await call('GET', path, path, { token });
  });

  test('errors before the endpoint itself', async () => {
    await call('GET', '/products', '/products', { key: 'none' });
    await call('GET', '/products', '/products', {});
    const reader = await world.newKey(world.store, { scopes: ['sales:read'] });
    await call('GET', '/products', '/products', { key: reader });
    expect((await world.call('PATCH', '/brands/1', { key, body: {} })).status).toBe(403);
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

  test('each example body for keys is accepted, or refused for its ids alone', async () => {
    // A subscription's url is resolved when it is saved, and the example's host does not exist.
    const tried = endpoints().filter(({ app, example, access }) => example && !access.staffOnly && !access.public && app !== 'webhooks');
    for (const endpoint of tried) {
      const answer = await world.call(endpoint.httpMethod, endpoint.path, { key, raw: endpoint.example });
      expect([endpoint.path, [200, 201, 404].includes(answer.status)]).toEqual([endpoint.path, true]);
    }
  });
});
