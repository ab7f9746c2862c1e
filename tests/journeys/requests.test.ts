/** One request, traced to its audit entries, its events and their deliveries (D206). */
import { expect, test } from '@jest/globals';
import { useReceiver, useWorld } from '../kit/use.ts';

const receiver = await useReceiver();
const world = await useWorld(receiver.env);
const key = await world.newKey(world.store);
const keys = await world.call('GET', '/api_keys', { token: world.store.token });
const keyId = keys.body.api_keys[0].id;

const trace = (id: string, token = world.store.token) => world.call('GET', `/requests/${id}`, { token });
const upsert = (products: object[], id: string) =>
  world.call('POST', '/products/bulk_upsert', { key, body: { products }, headers: { 'X-Request-Id': id } });

test("golden: a key's bulk write, its changes, events, deliveries and attempts", async () => {
  const webhook_subscription = { url: `${receiver.url}/traced`, events: ['product.created'] };
  const subscription = (await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } })).body.data;
  receiver.answer = () => ({ status: 503 });
  await upsert([{ sku: 'T-1', name: 'Lantern' }, { sku: 'T-2' }], 'trace-bulk-1');
  const [hook] = await receiver.arrived('/traced', 1);
  expect(hook!.headers['x-service-request']).toBe('trace-bulk-1');
  await world.settled();
  const at = world.clock.now().toISOString();
  const attempt = { number: 1, response_status: 503, outcome: 'response', duration_ms: expect.any(Number), success: false, created_at: at };
  let answer = await trace('trace-bulk-1');
  for (let tries = 0; tries < 3_000 && answer.body.request.events[0].deliveries[0].state !== 'pending'; tries++)
    answer = await trace('trace-bulk-1');
  const productId = answer.body.request.audit_entries[0].resource_id;
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    request: {
      id: 'trace-bulk-1',
      method: 'POST',
      route: '/products/bulk_upsert',
      status: 207,
      error_code: null,
      key: { id: keyId, name: 'ERP' },
      user: null,
      duration_ms: expect.any(Number),
      created_at: at,
      requests_with_id: 1,
      audit_entries: [
        {
          id: expect.any(Number),
          created_at: at,
          actor: { type: 'key', key: { id: keyId, name: 'ERP' }, user: { id: expect.any(Number), name: 'Ada Admin' } },
          action: 'product.create',
          resource_type: 'Product',
          resource_id: productId,
          before: null,
          after: expect.objectContaining({ name: 'Lantern', sku: 'T-1' }),
          request_id: 'trace-bulk-1',
          ip: '127.0.0.1',
          event_ids: [hook!.headers['x-service-delivery']],
        },
      ],
      audit_entry_count: 1,
      events: [
        {
          id: hook!.headers['x-service-delivery'],
          sequence: Number(hook!.headers['x-service-sequence']),
          event: 'product.created',
          resource_type: 'Product',
          resource_id: productId,
          created_at: at,
          deliveries: [
            {
              id: expect.any(Number),
              webhook_subscription_id: subscription.id,
              url: `${receiver.url}/traced`,
              state: 'pending',
              manual: false,
              next_attempt_at: new Date(world.clock.now().getTime() + 60_000).toISOString(),
              attempts: [attempt],
            },
          ],
        },
      ],
      event_count: 1,
    },
  });
});

test("a refused request and one of staff are found, with X-Error-Code's error", async () => {
  const refused = await world.call('GET', '/products?updated_since=x&page=1', {
    key: await world.newKey(world.store, { scopes: ['sales:read'] }),
  });
  const id = refused.headers.get('x-request-id')!;
  expect((await trace(id)).body.request).toMatchObject({ status: 403, error_code: 'forbidden', route: '/products', events: [] });
  await trace('trace-unknown');
  const own = (await trace(id)).headers.get('x-request-id')!;
  expect((await trace(own)).body.request).toMatchObject({
    method: 'GET',
    route: '/requests/{request_id}',
    key: null,
    user: { id: expect.any(Number), name: 'Ada Admin' },
  });
});

test('a repeated id with an Idempotency-Key is counted; its events are shown once', async () => {
  const body = { product: { name: 'Once' } };
  const headers = { 'X-Request-Id': 'trace-again-1', 'Idempotency-Key': 'trace-again' };
  for (const _time of [1, 2]) expect((await world.call('POST', '/products', { key, body, headers })).status).toBe(201);
  await world.settled();
  expect((await trace('trace-again-1')).body.request).toMatchObject({ requests_with_id: 2, audit_entry_count: 1, event_count: 1 });
});

test('100 events of a large write are shown, and how many there are', async () => {
  await upsert(
    Array.from({ length: 130 }, (_, n) => ({ sku: `many-${n}`, name: `Many ${n}` })),
    'trace-many-1',
  );
  await world.settled();
  const { request } = (await trace('trace-many-1')).body;
  expect([request.events.length, request.event_count]).toEqual([100, 130]);
  expect([request.audit_entries.length, request.audit_entry_count]).toEqual([100, 130]);
});
