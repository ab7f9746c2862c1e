/** Specification: "Changes made through a key are recorded in the store's audit trail" (D22, D179, D183). */
import { describe, expect, test } from '@jest/globals';
import { recordKinds } from '../../apps/admin/src/audit/records.ts';
import { useWorld } from '../kit/use.ts';
import { recordOutbox, takeRecorded } from './outbox-history.ts';

const world = await useWorld();
const key = await world.newKey(world.store, { name: 'Auditor' });
const keyId = (await world.call('GET', '/api_keys', { token: world.store.token })).body.api_keys[0].id;
await recordOutbox(world);
await world.settled();

interface Entry {
  id: number;
  created_at: string;
  actor: object;
  action: string;
  resource_type: string;
  resource_id: number;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  request_id: string;
  ip: string;
  event_ids: string[];
}

/** The audit entries of a request, after all events have been published and handled. */
async function entriesOf(requestId: string | null, query = 'per_page=100'): Promise<Entry[]> {
  await world.settled();
  const { audit_entries } = (await world.call('GET', `/audit_entries?${query}`, { token: world.store.token })).body;
  return audit_entries.filter((entry: Entry) => entry.request_id === requestId);
}
const idOf = (answer: { headers: Headers }) => answer.headers.get('x-request-id');
const byKey = () => ({ type: 'key', key: { id: keyId, name: 'Auditor' }, user: { id: expect.any(Number), name: 'Ada Admin' } });
const byAdmin = { type: 'user', key: null, user: { id: expect.any(Number), name: 'Ada Admin' } };

describe("a key's changes: one entry, against the key and the admin who created it", () => {
  test('POST /products: before null, after as set, request id, address, event id', async () => {
    await takeRecorded(world);
    const answer = await world.call('POST', '/products', { key, body: { product: { name: 'Audited', sku: 'AU-1', price: 3, cost: 2 } } });
    const [entry, ...rest] = await entriesOf(idOf(answer));
    const event = (await takeRecorded(world)).find(({ name }) => name === 'product.created')!;
    expect(rest).toEqual([]);
    expect(entry).toEqual({
      id: expect.any(Number),
      created_at: world.clock.now().toISOString(),
      actor: byKey(),
      action: 'product.create',
      resource_type: 'Product',
      resource_id: answer.body.data.id,
      before: null,
      after: expect.objectContaining({ name: 'Audited', sku: 'AU-1', price: '3.00', cost: '2.00' }),
      request_id: idOf(answer),
      ip: '127.0.0.1',
      event_ids: [event.body.id],
    });
  });

  test('POST /products/bulk_upsert: one entry per changed row, with its changed fields', async () => {
    const rows = [
      { sku: 'B-1', name: 'One', price: 1 },
      { sku: 'B-2', name: 'Two', price: 2 },
    ];
    await world.call('POST', '/products/bulk_upsert', { key, body: { products: rows } });
    const products = [{ ...rows[0], price: '1.25' }, rows[1], { sku: 'B-3', name: 'Three' }, { sku: '' }];
    const entries = await entriesOf(idOf(await world.call('POST', '/products/bulk_upsert', { key, body: { products } })));
    expect(entries.map(({ action, before, after }) => [action, before, action === 'product.create' ? after?.name : after]).sort()).toEqual([
      ['product.create', null, 'Three'],
      ['product.update', { price: '1.00' }, { price: '1.25' }],
    ]);
  });

  test('POST /stock_adjustments: the new ledger row', async () => {
    const product = (await world.call('GET', '/products?search=AU-1', { key })).body.data[0];
    const body = { product_id: product.id, adjustment_type: 'receive', quantity_change: 4, reason: 'Delivery' };
    const answer = await world.call('POST', '/stock_adjustments', { key, body });
    const entries = await entriesOf(idOf(answer));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ actor: byKey(), before: null, after: expect.anything(), event_ids: [expect.any(String)] });
    expect(JSON.stringify(entries[0])).toContain('Delivery');
  });

  test("PATCH /products/bulk_update: an entry for each product's price and stock", async () => {
    const product = (await world.call('GET', '/products?search=AU-1', { key })).body.data[0];
    const body = { product_ids: [product.id], updates: { price: 9, current_stock: 11 } };
    const entries = await entriesOf(idOf(await world.call('PATCH', '/products/bulk_update', { key, body })));
    expect(entries.filter(({ before, after }) => before?.price === '3.00' && after?.price === '9.00')).toHaveLength(1);
    expect(entries).toHaveLength(2);
    for (const entry of entries) expect(entry.actor).toEqual(byKey());
  });

  test('a refused change, a read and a repeated Idempotency-Key leave none', async () => {
    const body = { product: { name: 'Once', sku: 'ONCE' } };
    const headers = { 'Idempotency-Key': 'audit-once' };
    await world.call('POST', '/products', { key, body, headers });
    const answers = [
      await world.call('POST', '/products', { key, body, headers }),
      await world.call('POST', '/products', { key, body }),
      await world.call('POST', '/products', { key, body: {} }),
      await world.call('GET', '/products', { key }),
      await world.call('POST', '/sales', { key, body: {} }),
      await world.call('POST', '/products', { key: `${key}x`, body }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 400, 200, 403, 401]);
    for (const answer of answers) expect(await entriesOf(idOf(answer))).toEqual([]);
  });
});

describe('changes made by staff', () => {
  const staff_user = { name: 'U', email: 'u@audit.example', password: 'correct horse battery', role: 'clerk' };
  /** The action and its record; {id} is that of the record before. */
  const cases: [action: string, type: string, verb: string, path: string, body: unknown][] = [
    ['api_key.create', 'ApiKey', 'POST', '/api_keys', { api_key: { name: 'K', scopes: ['sales:read'] } }],
    ['api_key.revoke', 'ApiKey', 'DELETE', '/api_keys/{id}', undefined],
    ['staff_user.create', 'StaffUser', 'POST', '/staff_users', { staff_user }],
    ['staff_user.update', 'StaffUser', 'PATCH', '/staff_users/{id}', { staff_user: { role: 'manager', password: 'one more long phrase' } }],
    ['settings.update', 'Settings', 'PATCH', '/settings', { settings: { locale: 'es' } }],
    ['brand.create', 'Brand', 'POST', '/brands', { brand: { name: 'Brand' } }],
    ['brand.update', 'Brand', 'PATCH', '/brands/{id}', { brand: { name: 'Brand 2' } }],
    ['brand.delete', 'Brand', 'DELETE', '/brands/{id}', undefined],
    ['category.create', 'Category', 'POST', '/categories', { category: { name: 'Cat' } }],
    ['revenue_center.create', 'RevenueCenter', 'POST', '/revenue_centers', { revenue_center: { name: 'RC' } }],
    ['warehouse_location.create', 'WarehouseLocation', 'POST', '/warehouse_locations', { warehouse_location: { name: 'L', kind: 'back' } }],
  ];
  let lastId = 0;

  test.each(cases)('%s: one entry with actor, action, before, after and request id', async (action, type, verb, path, body) => {
    const answer = await world.call(verb, path.replace('{id}', String(lastId)), { token: world.store.token, body });
    expect(answer.status).toBeLessThan(300);
    const entries = await entriesOf(idOf(answer));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ actor: byAdmin, action, resource_type: type, ip: '127.0.0.1', event_ids: [] });
    lastId = entries[0]!.resource_id;
    if (action.endsWith('.create')) expect(entries[0]!.before).toBeNull();
    else expect(entries[0]!.before).not.toBeNull();
    if (action.endsWith('.delete')) expect(entries[0]!.after).toBeNull();
    else expect(entries[0]!.after).not.toBeNull();
  });
});

describe('the trail itself', () => {
  test('can be searched in the panel for every kind of record that is in it', async () => {
    await world.settled();
    const { rows } = await world.database.query<{ kind: string }>('select distinct resource_type as kind from gateway.audit_entries');
    expect(rows.map(({ kind }) => kind).filter((kind) => !(recordKinds as readonly string[]).includes(kind))).toEqual([]);
    expect(rows.length).toBeGreaterThanOrEqual(10);
  });
});
