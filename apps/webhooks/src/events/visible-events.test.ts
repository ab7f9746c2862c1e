import { expect, test } from '@jest/globals';
import { event, goodUrl, keyCaller, shareWebhooks, webhooks } from '../../test/webhooks-under-test.ts';

shareWebhooks();

/** A key with the webhooks scope and the read scopes in `scopes`. */
const holding = (...scopes: string[]) => keyCaller({ scopes: new Set(['webhooks:manage', ...scopes]) });
const listed = async (caller = holding(), query = '') => webhooks.query('ListEvents', query, caller);
const sequences = async (caller = holding(), query = '') =>
  (await listed(caller, query)).events.map(({ sequence }: { sequence: number }) => sequence);
const happen = (...names: string[]) => webhooks.publish(...names.map((name) => event({ name })));

test.each([
  ['products:read', [1, 2, 3]],
  ['customers:read', [4, 5]],
  ['sales:read', [6, 7]],
  ['inventory:read', [8]],
  ['purchasing:read', [9]],
  ['products:write', []],
])('D130: without a subscription, %s shows the events of its own types alone', async (scope, shown) => {
  await happen('product.created', 'product.updated', 'product.deleted', 'customer.created', 'customer.updated');
  await happen('sale.completed', 'sale.voided', 'inventory.adjusted', 'purchase_order.received');
  expect(await sequences(holding(scope))).toEqual(shown);
  expect(await sequences()).toEqual([]);
});

test('D130: a subscription shows what it lists since its creation, to its own key', async () => {
  await happen('customer.created', 'sale.completed');
  const { id } = await webhooks.subscribe({ events: ['customer.created'] }, holding());
  await happen('customer.created', 'customer.updated', 'sale.completed');
  expect(await sequences()).toEqual([3]);
  expect(await sequences(holding('sales:read'))).toEqual([2, 3, 5]);
  expect(await sequences(keyCaller({ scopes: new Set(['webhooks:manage']), actor: { keyId: 13 } }))).toEqual([]);
  expect(await sequences(keyCaller({ scopes: new Set(['webhooks:manage']), storeId: 2 }))).toEqual([]);
  await webhooks.patch(id, { active: false }, holding());
  expect(await sequences()).toEqual([3]);
  await webhooks.id('DeleteSubscription', id, holding());
  expect(await sequences()).toEqual([]);
});

test('D130: an event type that a subscription lists later is shown from then on', async () => {
  const { id } = await webhooks.subscribe({ events: ['customer.created'] }, holding());
  await happen('customer.created', 'customer.updated');
  await webhooks.patch(id, { events: ['customer.updated', 'customer.created'] }, holding());
  await happen('customer.created', 'customer.updated');
  expect(await sequences()).toEqual([1, 3, 4]);
});

test('D130: a replay sends no more than GET /events shows', async () => {
  await happen('customer.created');
  const { id } = await webhooks.subscribe({ events: ['customer.created'] }, holding());
  await happen('customer.created');
  await webhooks.after(0);
  const replay = (...scopes: string[]) => webhooks.replay(id, { after_seq: 0 }, holding(...scopes));
  expect(await replay()).toMatchObject({ replayed: 1, from_sequence: 2 });
  await webhooks.after(0);
  expect(await replay('customers:read')).toMatchObject({ replayed: 2, from_sequence: 1 });
});

test('D254: latest_sequence counts hidden events too, and pages skip them', async () => {
  expect(await listed()).toEqual({ events: [], next_after: 0, has_more: false, latest_sequence: 0 });
  await happen('customer.created', 'product.created', 'customer.created', 'product.updated', 'customer.created');
  const page = await listed(holding('products:read'), 'per_page=1');
  expect(page).toMatchObject({ events: [{ sequence: 2 }], next_after: 2, has_more: true, latest_sequence: 5 });
  const rest = await listed(holding('products:read'), 'after=2&per_page=1');
  expect(rest).toMatchObject({ events: [{ sequence: 4 }], next_after: 5, has_more: false, latest_sequence: 5 });
});

test('D254: a creation returns the end of the log, and repeats it in a replay', async () => {
  await happen('product.created', 'product.created');
  const create = () => {
    const caller = { ...holding(), idempotency: { key: 'creation-1', hash: new Uint8Array(32) } };
    const request = { webhook_subscription: { url: goodUrl, events: ['sale.completed'] } };
    return webhooks.service.call('CreateSubscription', request, caller);
  };
  expect((await create()).headers).toMatchObject({ 'x-service-sequence': '2' });
  await happen('product.created');
  const { headers } = await create();
  expect(headers).toMatchObject({ 'x-service-sequence': '2', 'idempotency-replayed': 'true', 'cache-control': 'no-store' });
});

test('D260: a page of large events ends before 4 MB, the next follows without a gap', async () => {
  const data = JSON.stringify({ description: 'x'.repeat(900_000) });
  await webhooks.publish(...Array.from({ length: 7 }, () => event({ data })));
  const reader = holding('products:read');
  expect(await listed(reader)).toMatchObject({ next_after: 4, has_more: true, latest_sequence: 7 });
  expect(await sequences(reader)).toEqual([1, 2, 3, 4]);
  expect(await listed(reader, 'after=4')).toMatchObject({ next_after: 7, has_more: false });
  expect(await sequences(reader, 'after=4')).toEqual([5, 6, 7]);
});
