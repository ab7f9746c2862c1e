/** `?dry_run=true` on what a key may POST or PATCH, and on some writes of staff (D202, D247): the same answer, and nothing is stored. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { useReceiver, useWorld } from '../kit/use.ts';
import { changedBy } from './database-text.ts';

const receiver = await useReceiver();
const world = await useWorld(receiver.env);
const key = await world.newKey(world.store);
const product = { name: 'Lantern', sku: 'DRY-1', price: '3.39' };
const productId = (await world.call('POST', '/products', { key, body: { product } })).body.data.id;
await world.call('POST', '/stock_adjustments', {
  key,
  body: { product_id: productId, adjustment_type: 'receive', quantity_change: 5 },
});
const subscription = { url: receiver.url, events: ['sale.voided'] };
const subscriptionId = (await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription: subscription } })).body.data
  .id;
const customerId = (await world.call('POST', '/customers', { key, body: { customer: { name: 'Maya', phone: '5550001111' } } })).body.data
  .id;
const twinId = (await world.call('POST', '/customers', { key, body: { customer: { name: 'M. Lee' } } })).body.data.id;
const line_items = [{ product_id: productId, quantity_ordered: 5, unit_price: '1.00' }];
const order = await world.call('POST', '/purchase_orders', { token: world.store.token, body: { purchase_order: { line_items } } });
const orderId = order.body.purchase_order.id;
const as = { token: world.store.token };
const archivedId = (await world.call('POST', '/customers', { key, body: { customer: { name: 'Gone' } } })).body.data.id;
await world.call('DELETE', `/customers/${archivedId}`, as);
const supplierId = (await world.create('/suppliers', { supplier: { name: 'Lamps' } })).id;
const cardId = (await world.create('/gift_cards', { gift_card: { amount: 20 } })).id;
await world.call('POST', `/customers/${customerId}/store_credit`, {
  token: world.store.token,
  body: { store_credit: { amount: '20.00', transaction_type: 'refund' } },
});

/** What each endpoint is sent; a function, as ids are known only then. */
const keyBodies: Record<string, () => unknown> = {
  'POST /products': () => ({ product: { name: 'Only tried', sku: 'DRY-2' } }),
  'POST /products/bulk_upsert': () => ({ products: [{ sku: 'DRY-1', price: '9.99' }, { sku: 'DRY-3', name: 'New' }, { name: 'No sku' }] }),
  'PATCH /products/bulk_update': () => ({
    product_ids: [productId],
    updates: { price: '1.11', stock_adjustment: { type: 'add', amount: 2 } },
  }),
  'POST /stock_adjustments': () => ({ product_id: productId, adjustment_type: 'count', quantity_change: -2 }),
  'POST /webhook_subscriptions': () => ({ webhook_subscription: { url: receiver.url, events: ['sale.voided'] } }),
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
  const taken = endpoints().filter(({ access }) => access.dryRun);

  test('is known here for every endpoint that takes it', () => {
    expect(taken.map(({ httpMethod, path }) => `${httpMethod} ${path}`).sort()).toEqual(Object.keys(bodies).sort());
  });

  test.each(Object.keys(bodies))('%s answers as the real request does, says so, and keeps nothing', async (name) => {
    const [method, path] = name.split(' ') as [string, string];
    const ids: Record<string, number> = {
      ...{ customers: path.endsWith('restore') ? archivedId : customerId, webhook_subscriptions: subscriptionId },
      ...{ purchase_orders: orderId, suppliers: supplierId, gift_cards: cardId },
    };
    const target = path.replace('{id}', String(ids[path.split('/')[1]!]));
    const as = name in staffBodies ? { token: world.store.token } : { key };
    const headers = { 'Idempotency-Key': `dry-${name.replace(/\W/g, '')}` };
    const body = bodies[name]!();
    const { answer: tried, changed: triedChanged } = await changedBy(world, () =>
      world.call(method, `${target}?dry_run=true`, { ...as, body, headers }),
    );
    expect(triedChanged).toEqual([]);
    // Answers to staff have no envelope.
    expect([tried.body.meta?.dry_run, tried.headers.get('x-dry-run')]).toEqual([tried.body.meta && true, 'true']);
    // The Idempotency-Key of the dry run was not stored, or this would be its replay.
    const { answer: real, changed } = await changedBy(world, () => world.call(method, target, { ...as, body, headers }));
    expect(changed).not.toEqual([]);
    expect(real.headers.get('idempotency-replayed')).toBeNull();
    expect([real.body.meta?.dry_run, real.headers.get('x-dry-run')]).toEqual([undefined, null]);
    expect([tried.status, comparable(tried.body.data ?? tried.body)]).toEqual([real.status, comparable(real.body.data ?? real.body)]);
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
    const body = bodies['POST /webhook_subscriptions']!();
    const { data } = (await world.call('POST', '/webhook_subscriptions?dry_run=true', { key, body })).body;
    expect(Object.keys(data)).toContain('url');
    expect(Object.keys(data)).not.toContain('secret');
  });

  test.each(['dry_run=false', 'dry_run=1', 'dry_run=', 'dry_run=true&dry_run=true'])('%s is a 400 and changes nothing', async (query) => {
    const body = { product: { name: 'Never' } };
    const { answer, changed } = await changedBy(world, () => world.call('POST', `/products?${query}`, { key, body }));
    expect([answer.status, answer.body, changed]).toEqual([400, { error: 'dry_run must be true or left out' }, []]);
  });

  test("is a 400 where trying means nothing: a ping, replay, deletion or staff's writes", async () => {
    const refused = { error: 'dry_run is not available for this endpoint' };
    const path = `/webhook_subscriptions/${subscriptionId}`;
    for (const [method, target] of [
      ['POST', `${path}/test`],
      ['POST', `${path}/replay`],
      ['DELETE', path],
    ] as const) {
      const answer = await world.call(method, `${target}?dry_run=true`, { key, body: {} });
      expect([target, answer.status, answer.body]).toEqual([target, 400, refused]);
    }
    const staff = await world.call('POST', '/brands?dry_run=true', { token: world.store.token, body: { brand: { name: 'Never' } } });
    expect([staff.status, staff.body]).toEqual([400, refused]);
  });
});

describe('a key that may write and not read', () => {
  let writer: string;
  beforeAll(async () => {
    writer = await world.newKey(world.store, { scopes: ['customers:write', 'products:write', 'inventory:write'] });
  });
  const dry = async (method: string, path: string, body: object, as = writer) =>
    (await world.call(method, `${path}?dry_run=true`, { key: as, body })).body.data;

  test('learns nothing from a dry run that it did not send, as that leaves no trace', async () => {
    const known = { name: 'Known', email: 'known@dry.example', phone: '555 222 3333', notes: 'Secret' };
    const { id } = (await world.call('POST', '/customers', { key, body: { customer: known } })).body.data;
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
