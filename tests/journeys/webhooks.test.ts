import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { closeAfterAll, useReceiver, useWorld } from '../kit/use.ts';
import type { Answer } from '../kit/world.ts';
import { openCollector } from './collector.ts';

const collector = closeAfterAll(await openCollector());
const receiver = await useReceiver();
const world = await useWorld({ ...receiver.env, ...collector.env });
const key = await world.newKey(world.store);

const subscribe = async (path: string): Promise<Answer['body']> => {
  const webhook_subscription = { url: `${receiver.url}${path}`, events: ['product.created'] };
  const answer = await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } });
  expect(answer.status).toBe(201);
  return answer.body.data;
};
const createProduct = (name: string) => world.call('POST', '/products', { key, body: { product: { name, price: '3.5' } } });

describe('a change made with a key', () => {
  test('arrives signed at the subscriber, with the bytes that GET /events shows', async () => {
    const { id, secret } = await subscribe('/signed');
    const product = await createProduct('Lantern');
    const [hook] = await receiver.arrived('/signed', 1);
    const body = JSON.parse(hook!.body.toString());
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      event: 'product.created',
      resource_type: 'Product',
      resource_id: product.body.data.id,
      created_at: '2026-11-21T09:30:00.000Z',
      data: expect.objectContaining({ id: product.body.data.id, name: 'Lantern', price: '3.50' }),
    });
    expect(hook!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Store-Webhooks/1.0',
      'x-service-event': 'product.created',
      'x-service-delivery': body.id,
      'x-service-attempt': '1',
      'webhook-id': body.id,
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(hook!.body).digest('hex')}`,
    });
    const events = await world.call('GET', `/events?after=${Number(hook!.headers['x-service-sequence']) - 1}&per_page=1`, { key });
    expect(events.text).toContain(hook!.body.toString().slice(1));
    const { data } = (await world.call('GET', `/webhook_subscriptions/${id}`, { key })).body;
    expect(data.webhook_subscription).toMatchObject({ id, failure_count: 0, active: true });
  });

  test('is one trace: request, service, event, consumer, delivery', async () => {
    await subscribe('/traced');
    const requestId = `traced-${Date.now()}`;
    const body = { product: { name: 'Compass', price: '7' } };
    expect((await world.call('POST', '/products', { key, body, headers: { 'X-Request-Id': requestId } })).status).toBe(201);
    await receiver.arrived('/traced', 1);
    const names = [
      'POST /products',
      // Of the gateway and of catalog.
      '/store.catalog.v1.Catalog/CreateProduct',
      '/store.catalog.v1.Catalog/CreateProduct',
      'publish catalog.events',
      'process catalog.events',
      'POST webhook',
    ];
    const spans = await collector.spansOf(requestId, names);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name;
    const parents = spans.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)]);
    expect(parents).toEqual(
      expect.arrayContaining([
        ['POST /products', undefined],
        ['/store.catalog.v1.Catalog/CreateProduct', 'POST /products'],
        ['/store.catalog.v1.Catalog/CreateProduct', '/store.catalog.v1.Catalog/CreateProduct'],
        ['publish catalog.events', 'POST /products'],
        ['process catalog.events', 'publish catalog.events'],
        ['POST webhook', 'publish catalog.events'],
      ]),
    );
  });
});

describe('the test ping', () => {
  test('is in the envelope when the endpoint answered, else the bare 422', async () => {
    const { id } = await subscribe('/ping');
    const reached = await world.call('POST', `/webhook_subscriptions/${id}/test`, { key });
    expect(reached).toMatchObject({
      status: 200,
      body: { data: { success: true, status_code: 200, message: 'The endpoint answered with 200' } },
    });
    const [ping] = await receiver.arrived('/ping', 1);
    expect(ping!.headers['x-service-event']).toBe('webhook.test');
    expect(ping!.headers['x-service-delivery']).toBeUndefined();
    await world.call('PATCH', `/webhook_subscriptions/${id}`, {
      key,
      body: { webhook_subscription: { url: 'https://127.0.0.1:1025/closed' } },
    });
    const refused = await world.call('POST', `/webhook_subscriptions/${id}/test`, { key });
    expect(refused.status).toBe(422);
    expect(refused.body).toEqual({
      success: false,
      status_code: 0,
      message: 'The test delivery could not be made',
    });
  });
});

describe('the staff side', () => {
  test('the secret is shown against the password, and only to an admin', async () => {
    const { id, secret } = await subscribe('/secret');
    const reveal = (body: object, token = world.store.token) => world.call('POST', `/webhook_monitor/${id}/reveal_secret`, { token, body });
    expect(await reveal({})).toMatchObject({ status: 400, body: { error: 'param is missing or the value is empty: password' } });
    expect(await reveal({ password: 'wrong' })).toMatchObject({ status: 403, body: { error: 'Password is incorrect' } });
    const shown = await reveal({ password: world.store.password });
    expect(shown).toMatchObject({ status: 200, body: { secret } });
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const byKey = await world.call('POST', `/webhook_monitor/${id}/reveal_secret`, { key, body: { password: world.store.password } });
    expect(byKey).toMatchObject({ status: 403, body: { error: 'This endpoint is not available via API key authentication' } });
    expect((await reveal({ password: 'correct horse battery' }, await world.newStaff('manager'))).status).toBe(403);
  });
});

describe('the live stream of the monitor (D179)', () => {
  const stream = (headers: Record<string, string>) => fetch(`${world.baseUrl}/api/v1/webhook_monitor/stream`, { headers });

  test('shows staff a delivery as it ends, through the gateway', async () => {
    const response = await stream({ Authorization: `Bearer ${world.store.token}` });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const reader = response.body!.getReader();
    const { id } = await subscribe('/streamed');
    await createProduct('Streamed');
    let text = '';
    while (!text.includes(`event: attempt\ndata: {"webhook_subscription_id":${id},`))
      text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
  });

  test('is refused to keys with 403 and without a session with 401', async () => {
    expect((await stream({ 'X-API-Key': key })).status).toBe(403);
    expect((await stream({})).status).toBe(401);
    expect((await stream({ Authorization: 'Bearer sess_wrong' })).status).toBe(401);
  });
});
