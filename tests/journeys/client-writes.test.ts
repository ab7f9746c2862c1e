/** Every write of the TypeScript client: tried it keeps nothing, repeated under its Idempotency-Key it has one effect. */
import { expect, test } from '@jest/globals';
import { type OperationName, type OptionsOf, operations, StoreClient } from '@store/client';
import { useReceiver, useWorld } from '../kit/use.ts';
import { changedBy } from './database-text.ts';

let [productId, customerId, subscriptionId] = [0, 0, 0];

const receiver = await useReceiver();
const world = await useWorld(receiver.env);

const subscription = () => ({ webhook_subscription: { url: receiver.url, events: ['sale.voided' as const] } });

const store = new StoreClient({ baseUrl: world.baseUrl, key: await world.newKey(world.store), strict: true });
productId = (await store.call('createProduct', { body: { product: { name: 'Counted', sku: 'W-1', price: '3.39' } } })).data.id;
const maya = await store.call('createCustomer', { body: { customer: { name: 'Maya' } } });
customerId = (maya.data as { id: number }).id;
const subscribed = await store.call('createSubscription', { body: subscription() });
subscriptionId = subscribed.data.id;

/** What each write is called with; a function, as ids are known only then. */
const writes: { [Name in OperationName]?: () => OptionsOf<Name> } = {
  createProduct: () => ({ body: { product: { name: 'Repeated' } } }),
  bulkUpsert: () => ({ body: { products: [{ sku: 'W-2', name: 'Repeated' }] } }),
  bulkUpdateProducts: () => ({ body: { product_ids: [productId], updates: { stock_adjustment: { type: 'add', amount: 2 } } } }),
  createStockAdjustment: () => ({ body: { product_id: productId, adjustment_type: 'receive', quantity_change: 3 } }),
  createCustomer: () => ({ body: { customer: { name: 'Maya' }, force_create: true } }),
  updateCustomer: () => ({ params: { id: customerId }, body: { customer: { notes: 'Likes tea' } } }),
  createSubscription: () => ({ body: subscription() }),
  updateSubscription: () => ({ params: { id: subscriptionId }, body: { webhook_subscription: { active: false } } }),
};
/** They take no dry run: they send. */
const sending = ['testSubscription', 'replaySubscription'];

test('each operation that takes an Idempotency-Key is here', () => {
  const keyed = Object.entries(operations).filter(([, { idempotencyKey }]) => idempotencyKey);
  expect(keyed.map(([name]) => name).sort()).toEqual([...Object.keys(writes), ...sending].sort());
});

test.each(Object.keys(writes) as OperationName[])('%s', async (name) => {
  const call = (options: object) => changedBy(world, () => store.call(name, { ...writes[name]!(), ...options } as never));
  const tried = await call({ dryRun: true, idempotencyKey: `once-${name}` });
  expect([tried.answer.meta.dry_run, tried.changed]).toEqual([true, []]);
  const first = await call({ idempotencyKey: `once-${name}`, requestId: `request-${name}` });
  expect(first.changed).not.toEqual([]);
  expect(first.answer.meta.request_id).toBe(`request-${name}`);
  const again = await call({ idempotencyKey: `once-${name}` });
  expect([again.answer.headers.get('idempotency-replayed'), again.changed]).toEqual(['true', []]);
  expect((again.answer as { data?: unknown }).data).toEqual((first.answer as { data?: unknown }).data);
});
