/** "Never a secret in a log line" (P29): sends canary secrets through every endpoint and searches all log lines for them. */
import { expect, test } from '@jest/globals';
import { rawRequest, rawText } from '../kit/raw-http.ts';
import { useWorld } from '../kit/use.ts';
import { databaseText } from './database-text.ts';
import { recordOutbox } from './outbox-history.ts';

/** Canaries by kind; the requests below send or receive each of them. */
const canaries = new Map<string, string>();

const world = await useWorld({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32' }, { purgeOldEvents: true });
await recordOutbox(world);
await goThroughEveryDoor();
await world.settled();
const lines = world.logged();

async function goThroughEveryDoor(): Promise<void> {
  const { store } = world;
  const key = await world.newKey(store, { name: 'Canary' });
  const password = 'canary password 71c3';
  const csrfSession = (await world.call('POST', '/staff_sessions', { body: { email: store.email, password: store.password } })).body;
  for (const [name, value] of Object.entries({
    key,
    'random part of the key': key.slice(9, 52),
    password,
    'admin password': store.password,
    'session token': store.token,
    'second token': csrfSession.token,
    'CSRF token': csrfSession.csrf_token,
  })) {
    canaries.set(name, value);
  }
  await use(key);
  await misuse(key, password);
  await cardDoors(key);
  await webhookDoors(key, store.password);
  await staffDoors(password, csrfSession);
  await failures(key);
}

async function use(key: string): Promise<void> {
  const { id } = (await world.call('POST', '/products', { key, body: { product: { name: 'A', sku: 'A' } } })).body.data;
  const headers = { 'Idempotency-Key': 'canary-1' };
  for (let n = 0; n < 2; n++) await world.call('POST', '/products', { key, headers, body: { product: { name: 'B' } } });
  await world.call('POST', '/stock_adjustments', { key, body: { product_id: id, adjustment_type: 'receive', quantity_change: 1 } });
  await world.call('PATCH', '/products/bulk_update', { key, body: { product_ids: [id], updates: { price: 1 } } });
  for (const path of ['/products', '/products/0', '/nothing', '/api_keys', '/key', '/settings']) await world.call('GET', path, { key });
}

/** The key and the password in places where they do not belong. */
async function misuse(key: string, password: string): Promise<void> {
  await world.call('GET', `/products?api_key=${key}&password=${encodeURIComponent(password)}`);
  await world.call('GET', `/products/${key}`, { key });
  await world.call('GET', `/${key}`, { key });
  await world.call('GET', `/${key}`);
  await world.call('GET', '/products', { headers: { Authorization: `Bearer ${key}`, Cookie: `__Host-sid=${key}` } });
  await world.call('GET', '/products', { key: `${key} ${key}` });
  await world.call('GET', '/products', { key: `${key.slice(0, -1)}?` });
  await world.call('GET', '/products', { key, headers: { 'X-Request-Id': key } });
  await world.call('POST', '/products', { key, raw: `{"key":"${key}","product":` });
  await world.call('POST', '/products', { key, headers: { 'Idempotency-Key': `bad ${key}` }, body: {} });
  await rawRequest(world.baseUrl, rawText('GET /api/v1/key', [`X-API-Key : ${key}`]));
  await rawRequest(world.baseUrl, rawText('GET /api/v1/key', [`X-API-Key: ${key}`, `X-API-Key: ${key}`]));
  await rawRequest(world.baseUrl, rawText(`GET http://evil.example/api/v1/${key}`, [`X-API-Key: ${key}`]));
}

/** A gift card's number: issued, looked up, paid with, in a refusal, and stored answers of each. */
async function cardDoors(key: string): Promise<void> {
  const { token } = world.store;
  const card_number = 'GC-CANARY-MONEY-7Q2X';
  canaries.set('card number', card_number);
  canaries.set('unknown card number', 'GC-CANARY-UNKNOWN-1');
  const staff = (path: string, body: object) =>
    world.call('POST', path, { token, body, headers: { 'Idempotency-Key': `card-${path.replaceAll('/', '-')}` } });
  const issue = () => staff('/gift_cards', { gift_card: { amount: 20, card_number } });
  const { id } = (await issue()).body.gift_card;
  const repeated = await issue();
  if (repeated.body.gift_card.card_number !== card_number) throw new Error('the repetition was answered without the number');
  await staff(`/gift_cards/${id}/hold`, { amount: 5 });
  await staff(`/gift_cards/${id}/redeem`, { amount: 5 });
  const product_id = (await world.call('POST', '/products', { key, body: { product: { name: 'Sold', price: 5 } } })).body.data.id;
  for (const number of [card_number, 'GC-CANARY-UNKNOWN-1']) {
    await world.call('GET', `/gift_cards/lookup/${number}`, { key });
    const payments = [{ method: 'gift_card', amount: 5, card_number: number }];
    await world.call('POST', '/sales', {
      token,
      body: { sale: { payments, line_items: [{ product_id, quantity: 1 }] } },
      headers: { 'Idempotency-Key': number.slice(0, 12) },
    });
  }
  await staff(`/gift_cards/${id}/cancel`, {});
  await world.call('POST', '/gift_cards', { token, body: { gift_card: { amount: 20, card_number } } });
}

/** The signing secret: created, used for an attempt, revealed, rotated. */
async function webhookDoors(key: string, password: string): Promise<void> {
  const { token } = world.store;
  const subscription = { url: 'https://127.0.0.1:1024/hooks', events: ['product.created'] };
  const { id, secret } = (await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription: subscription } })).body
    .data;
  await world.call('POST', '/products', { key, body: { product: { name: 'Signed' } } });
  await world.call('POST', `/webhook_subscriptions/${id}/test`, { key });
  const revealed = await world.call('POST', `/webhook_monitor/${id}/reveal_secret`, { token, body: { password } });
  const rotated = await world.call('POST', `/webhook_monitor/${id}/rotate_secret`, { token });
  if (revealed.body.secret !== secret) throw new Error('the signing secret was not revealed');
  canaries.set('signing secret', secret);
  canaries.set('rotated signing secret', rotated.body.secret);
}

async function staffDoors(password: string, session: { token: string; csrf_token: string }): Promise<void> {
  const { store } = world;
  const user = { name: 'C', email: 'canary@store.example', password, role: 'clerk' };
  const created = await world.call('POST', '/staff_users', { token: store.token, body: { staff_user: user } });
  await world.call('POST', '/staff_users', { token: store.token, body: { staff_user: user } });
  await world.call('POST', '/staff_sessions', { body: { email: user.email, password } });
  for (let n = 0; n < 6; n++) await world.call('POST', '/staff_sessions', { body: { email: user.email, password: `${password}!` } });
  await world.call('POST', '/staff_sessions', { body: { email: store.password, password: store.password } });
  await world.call('PATCH', `/staff_users/${created.body.staff_user.id}`, { token: store.token, body: { staff_user: { password } } });
  await world.call('PATCH', '/settings', { token: store.token, body: { settings: { locale: 'fr' } } });
  const headers = { Cookie: `__Host-sid=${session.token}`, 'X-CSRF-Token': session.csrf_token };
  await world.call('POST', '/brands', { headers, body: { brand: { name: 'Brand' } } });
  await world.call('POST', '/brands', { headers: { ...headers, 'X-CSRF-Token': 'no' }, body: { brand: { name: 'Brand' } } });
  await world.call('DELETE', '/staff_sessions/current', { headers });
}

/** Internal failures are logged with their cause, which must not contain the request. */
async function failures(key: string): Promise<void> {
  await world.database.query('alter table catalog.products rename to products_away');
  await world.call('GET', '/products', { key });
  await world.call('POST', '/products', { key, body: { product: { name: key, description: canaries.get('password') } } });
  await world.database.query('alter table catalog.products_away rename to products');
  await world.database.query('alter table gateway.staff_sessions rename to sessions_away');
  await world.call('GET', '/products', { token: world.store.token });
  await world.call('POST', '/staff_sessions', { body: { email: world.store.email, password: world.store.password } });
  await world.database.query('alter table gateway.sessions_away rename to staff_sessions');
  await world.database.query('alter table gateway.api_keys rename to keys_away');
  const unused = `sk_store_${'a'.repeat(49)}`;
  await world.call('GET', '/products', { key: unused });
  await world.call('POST', '/api_keys', { token: world.store.token, body: { api_key: { name: key, scopes: ['sales:read'] } } });
  await world.database.query('alter table gateway.keys_away rename to api_keys');
}

test('every request was logged, 401s in sums, failures with their causes', () => {
  expect(lines.filter(({ msg }) => msg === 'request').length).toBeGreaterThan(35);
  expect(lines.filter(({ err }) => err !== undefined).length).toBeGreaterThan(3);
});

test.each([
  'key',
  'random part of the key',
  'password',
  'admin password',
  'session token',
  'second token',
  'CSRF token',
  'signing secret',
  'rotated signing secret',
  'card number',
  'unknown card number',
])('no log line holds the %s', (name) => {
  const canary = canaries.get(name)!;
  const found = lines.filter((line) => JSON.stringify(line).includes(canary));
  expect(found).toEqual([]);
});

test('no table contains one either, nor any event that was emitted', async () => {
  const text = await databaseText(world);
  expect(text).toContain('public.outbox_history');
  for (const [name, canary] of canaries) expect([name, tablesWith(text, canary)]).toEqual([name, mayHold[name] ?? []]);
});

/** Cards are found by their number, and a payment names its card. */
const mayHold: Record<string, string[]> = { 'card number': ['sales.gift_cards', 'sales.sale_payments'] };

function tablesWith(text: string, canary: string): string[] {
  const found = new Set<string>();
  let table = '';
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) table = line;
    else if (line.includes(canary)) found.add(table);
  }
  return [...found];
}
