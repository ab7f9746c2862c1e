/**
 * `?dry_run=true` on what a key may POST or PATCH, and on some writes of staff (D202, D247): the same answer, and nothing is stored. Sent
 * twice under one Idempotency-Key each of them counts once (D185).
 */
import { describe, expect, test } from '@jest/globals';
import { type Endpoint, endpoints } from '@store/contract';
import type { Answer } from '../kit/http.ts';
import { useReceiver, useWorld } from '../kit/use.ts';
import { changedBy } from './database-text.ts';

const receiver = await useReceiver();
const world = await useWorld(receiver.env);
const { create, staff } = world;
const key = await world.newKey(world.store);
const productId = (await create('/products', { product: { name: 'Lantern', sku: 'DRY-1', price: '3.39' } })).id;
await staff('POST', '/stock_adjustments', { product_id: productId, adjustment_type: 'receive', quantity_change: 5 });
const webhook_subscription = { url: receiver.url, events: ['sale.voided'] };
const subscribed = await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } });
const newCustomer = async (customer: object): Promise<number> => (await create('/customers', { customer })).id;
const customerId = await newCustomer({ name: 'Maya', phone: '5550001111' });
const twinId = await newCustomer({ name: 'M. Lee' });
const archivedId = await newCustomer({ name: 'Gone' });
await staff('DELETE', `/customers/${archivedId}`);
const line_items = [{ product_id: productId, quantity_ordered: 5, unit_price: '1.00' }];
const orderId = (await create('/purchase_orders', { purchase_order: { line_items } })).id;
const supplierId = (await create('/suppliers', { supplier: { name: 'Lamps' } })).id;
const cardId = (await create('/gift_cards', { gift_card: { amount: 20 } })).id;
await staff('POST', `/customers/${customerId}/store_credit`, { store_credit: { amount: '20.00', transaction_type: 'refund' } });
const writer = await world.newKey(world.store, { scopes: ['customers:write', 'products:write', 'inventory:write'] });

/** What each endpoint is sent; a function, as ids are known only then. */
const keyBodies: Record<string, () => unknown> = {
  'POST /products': () => ({ product: { name: 'Only tried', sku: 'DRY-2' } }),
  'POST /products/bulk_upsert': () => ({ products: [{ sku: 'DRY-1', price: '9.99' }, { sku: 'DRY-3', name: 'New' }, { name: 'No sku' }] }),
  'PATCH /products/bulk_update': () => ({
    product_ids: [productId],
    updates: { price: '1.11', stock_adjustment: { type: 'add', amount: 2 } },
  }),
  'POST /stock_adjustments': () => ({ product_id: productId, adjustment_type: 'count', quantity_change: -2 }),
  'POST /webhook_subscriptions': () => ({ webhook_subscription }),
  'PATCH /webhook_subscriptions/{id}': () => ({ webhook_subscription: { active: false } }),
  // A duplicate, which is given the e-mail.
  'POST /customers': () => ({ customer: { name: 'M', phone: '555-000-1111', email: 'maya@example.com' } }),
  'PATCH /customers/{id}': () => ({ customer: { notes: 'Likes tea' } }),
  'PUT /customers/{id}': () => ({ customer: { notes: 'Likes coffee' } }),
};
/** By staff. */
const staffBodies: Record<string, () => unknown> = {
  'POST /purchase_orders': () => ({
    purchase_order: { line_items: [{ product_id: productId, quantity_ordered: 2, unit_price: '1.00' }], external_id: 'erp-2' },
  }),
  'POST /customers/{id}/restore': () => ({}),
  'POST /suppliers': () => ({ supplier: { name: 'Wicks' } }),
  'PATCH /suppliers/{id}': () => ({ supplier: { name: 'Lamps & Co' } }),
  'POST /gift_cards/{id}/adjust': () => ({ amount: -5, reason: 'Redeemed twice' }),
  'PATCH /gift_cards/{id}': () => ({ gift_card: { expires_at: '2031-01-01' } }),
  // On store credit that customers owns.
  'POST /sales': () => ({
    sale: { customer_id: customerId, line_items: [{ product_id: productId, quantity: 1 }], payment_method: 'store_credit' },
  }),
  'POST /customers/{id}/merge': () => ({ customer_id: twinId }),
  'PATCH /purchase_orders/{id}': () => ({ purchase_order: { notes: 'Ring twice', external_id: 'erp-1' } }),
};

const bodies = { ...keyBodies, ...staffBodies };

/** What differs between two answers to the same request: new ids, times and what a dry run leaves out. */
function comparable(data: unknown): unknown {
  const text = JSON.stringify(data, (name, value) =>
    ['id', 'receipt_number', 'order_number', 'completed_at', 'created_at', 'updated_at', 'secret'].includes(name) ? undefined : value,
  );
  return JSON.parse(text);
}

describe('D202: a dry run', () => {
  const named = (list: Endpoint[]) => list.map(({ httpMethod, path }) => `${httpMethod} ${path}`).sort();

  test('is known here for every endpoint that takes it', () => {
    expect(named(endpoints().filter(({ access }) => access.dryRun))).toEqual(Object.keys(bodies).sort());
  });

  test('is taken by all that a key may POST or PATCH but what sends to a receiver', () => {
    const writes = endpoints().filter(({ httpMethod, access }) => /^(POST|PATCH)$/.test(httpMethod) && !access.staffOnly && !access.public);
    const others = named(writes).filter((name) => !(name in keyBodies));
    expect(others).toEqual(['POST /webhook_subscriptions/{id}/replay', 'POST /webhook_subscriptions/{id}/test']);
  });

  test.each(Object.keys(bodies))('%s: tried it is answered alike and keeps nothing, sent it counts once', async (name) => {
    const [method, path] = name.split(' ') as [string, string];
    const ids: Record<string, number> = {
      ...{ customers: path.endsWith('restore') ? archivedId : customerId, webhook_subscriptions: subscribed.body.data.id },
      ...{ purchase_orders: orderId, suppliers: supplierId, gift_cards: cardId },
    };
    const target = path.replace('{id}', String(ids[path.split('/')[1]!]));
    const isOfKey = !(name in staffBodies);
    const as = isOfKey ? { key } : { token: world.store.token };
    const headers = { 'Idempotency-Key': `dry-${name.replace(/\W/g, '')}` };
    const body = bodies[name]!();
    const { answer: tried, changed: triedChanged } = await changedBy(world, () =>
      world.call(method, `${target}?dry_run=true`, { ...as, body, headers }),
    );
    expect(triedChanged).toEqual([]);
    // Answers to staff have no envelope.
    expect([tried.body.meta?.dry_run, tried.headers.get('x-dry-run')]).toEqual([isOfKey || undefined, 'true']);
    // The Idempotency-Key of the dry run was not stored, or this would be its replay.
    const { answer: real, changed } = await changedBy(world, () => world.call(method, target, { ...as, body, headers }));
    expect(changed).not.toEqual([]);
    expect(real.headers.get('idempotency-replayed')).toBeNull();
    expect([real.body.meta?.dry_run, real.headers.get('x-dry-run')]).toEqual([undefined, null]);
    const requestOf = ({ headers: of }: Answer) => (isOfKey ? of.get('x-request-id') : undefined);
    expect(real.body.meta?.request_id).toBe(requestOf(real));
    expect([tried.status, comparable(tried.body.data ?? tried.body)]).toEqual([real.status, comparable(real.body.data ?? real.body)]);
    if (method === 'PUT') return;
    const { answer: again, changed: changedAgain } = await changedBy(world, () => world.call(method, target, { ...as, body, headers }));
    expect([again.headers.get('idempotency-replayed'), changedAgain]).toEqual(['true', []]);
    expect(again.body.meta?.request_id).toBe(requestOf(again));
    expect([again.status, again.body.data ?? again.body]).toEqual([real.status, real.body.data ?? real.body]);
  });

  test('is refused like the real request', async () => {
    const body = { product: { name: '', price: '-1' } };
    const [tried, real] = [
      await world.call('POST', '/products?dry_run=true', { key, body }),
      await world.call('POST', '/products', { key, body }),
    ];
    expect([tried.status, tried.body]).toEqual([422, real.body]);
  });

  test('shows no secret, as the subscription that it would belong to is not kept', async () => {
    const { data } = (await world.call('POST', '/webhook_subscriptions?dry_run=true', { key, body: { webhook_subscription } })).body;
    expect(Object.keys(data)).toContain('url');
    expect(Object.keys(data)).not.toContain('secret');
  });
});

describe('a key that may write and not read', () => {
  const dry = async (method: string, path: string, body: object, as = writer) =>
    (await world.call(method, `${path}?dry_run=true`, { key: as, body })).body.data;

  test('learns nothing from a dry run that it did not send, as that leaves no trace', async () => {
    const known = { name: 'Known', email: 'known@dry.example', phone: '555 222 3333', notes: 'Secret' };
    const id = await newCustomer(known);
    expect(await dry('PATCH', `/customers/${id}`, { customer: { notes: 'Mine' } })).toEqual({ notes: 'Mine' });
    expect(await dry('PUT', `/customers/${id}`, { customer: { phone: '555 999 8888', hidden: 1 } })).toEqual({ phone: '555 999 8888' });
    // The duplicate's record would be answered.
    const same = { name: 'Other', email: known.email };
    expect(await dry('POST', '/customers', { customer: same })).toEqual({
      customer: same,
      duplicate: true,
      message: 'Customer already exists',
    });
    expect(await dry('POST', '/products', { product: { name: 'P', sku: 'W-1' } })).toEqual({ name: 'P', sku: 'W-1' });
    const adjusted = { product_id: productId, adjustment_type: 'count', quantity_change: -1 };
    for (const [name, value] of Object.entries(await dry('POST', '/stock_adjustments', adjusted)))
      expect([name, value]).toEqual([name, adjusted[name as keyof typeof adjusted]]);
  });

  test('is answered the record by a kept write, and by a dry run if it may read', async () => {
    const body = { customer: { notes: 'Kept' } };
    expect((await world.call('PATCH', `/customers/${customerId}`, { key: writer, body })).body.data).toMatchObject({
      name: 'Maya',
      notes: 'Kept',
    });
    expect(await dry('PATCH', `/customers/${customerId}`, body, key)).toMatchObject({ name: 'Maya' });
  });
});
