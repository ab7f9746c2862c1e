/** Commands that talk to a running demo store: `npm run listen -- --subscribe`, and `npm run store -- demo-key`. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { openWorld, type World } from '../../tests/kit/world.ts';
import { blockedWebhooks } from './blocked-webhooks.ts';
import { type Listening, startListening } from './listen.testing.ts';
import { listenCa } from './listen-ca.ts';
import { runScript } from './run-script.testing.ts';

const dir = temporaryFolder();
let world: World;
let key: string;
let listening: Listening | undefined;

beforeAll(async () => {
  world = await openWorld({ WEBHOOK_CA_FILE: listenCa(dir).file, WEBHOOK_ALLOW_CIDRS: '127.0.0.1' });
  key = await world.newKey(world.store);
  // The receiver compares the time of a signature with its own clock.
  world.clock.set(new Date());
  writeFileSync(
    path.join(dir, 'demo.json'),
    JSON.stringify({ base_url: world.baseUrl, api_key: key, staff: { email: world.store.email, password: world.store.password } }),
  );
}, 300_000);
afterEach(() => listening?.end());
afterAll(() => world.close());

function listen(...args: string[]): Listening {
  listening = startListening(dir, ...args);
  return listening;
}

test('one command subscribes, pings and prints; Ctrl-C deletes the subscription', async () => {
  for (const name of ['First', 'Second']) {
    const { child, until } = listen('--subscribe', name === 'First' ? 'all' : 'product.created');
    expect(await until('Subscribed as')).toContain('product.created');
    expect(await until('webhook.test')).toContain('  verified  ');
    const created = await world.call('POST', '/products', {
      key,
      body: { product: { name } },
      headers: { 'X-Request-Id': `listen-${name}` },
    });
    expect(created.status).toBe(201);
    expect(await until('product.created')).toMatch(new RegExp(`  verified  .*request listen-${name}  `));
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect((await world.call('GET', '/webhook_subscriptions', { key })).body.data).toEqual([]);
  }
}, 120_000);

test('a store that does not trust the receiver is named with the settings it needs', async () => {
  const { child } = listen('--subscribe', 'all', '--host', '127.0.0.2');
  const error = createInterface({ input: child.stderr! })[Symbol.asyncIterator]();
  const { value } = await error.next();
  expect(value).toMatch(
    /^The subscription was refused \(422\): Url must not .*\. Start the store with: WEBHOOK_CA_FILE=\S+ WEBHOOK_ALLOW_CIDRS=127\.0\.0\.2 npm start$/,
  );
}, 120_000);

test("a start without a subscription's range names it and its need, else says nothing", async () => {
  const webhook_subscription = { url: 'https://127.0.0.1:9000/hooks', events: ['product.created'] };
  const { id } = (await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } })).body.data;
  const { user, password, host, port, database } = world.database;
  const url = `postgres://${user}:${password}@${host}:${port}/${database}`;
  const said = (allowed: string) => blockedWebhooks({ url, email: world.store.email, allowed });
  const sentence = (ranges: string) =>
    `Nothing is delivered to https://127.0.0.1:9000/hooks: start with WEBHOOK_ALLOW_CIDRS=${ranges} and the WEBHOOK_CA_FILE of its certificate, or subscription ${id} is disabled after five failed deliveries.`;
  expect(await said('')).toEqual([sentence('127.0.0.1')]);
  expect(await said('10.0.0.0/8')).toEqual([sentence('10.0.0.0/8,127.0.0.1')]);
  expect(await said('10.0.0.0/8, 127.0.0.0/8')).toEqual([]);
  await world.call('PATCH', `/webhook_subscriptions/${id}`, { key, body: { webhook_subscription: { active: false } } });
  expect(await said('')).toEqual([]);
  await world.call('DELETE', `/webhook_subscriptions/${id}`, { key });
}, 120_000);

const demoKey = (...args: string[]) => runScript(['tools/local/app-command.ts', 'store', 'demo-key', ...args], { STORE_DATA_DIR: dir });

test('demo-key makes a key with the scopes, the mode and the limit that were asked for', async () => {
  const { code, out } = await demoKey('--scopes', 'read,webhooks:manage', '--test-mode', '--rate-limit', '5');
  expect(code).toBe(0);
  const [created, described] = out.split('\n');
  expect(described).toMatch(/^Test Mode, 5 requests a minute/);
  const { body } = await world.call('GET', '/key', { key: created! });
  expect(body.data).toMatchObject({ name: 'Trial key', test_mode: true, rate_limit: 5 });
  expect(body.data.scopes).toEqual(expect.arrayContaining(['products:read', 'loyalty:read', 'webhooks:manage']));
  expect(body.data.scopes).not.toContain('products:write');
}, 120_000);

test('demo-key refuses an unknown scope with one sentence and makes no key', async () => {
  const { code, out, error } = await demoKey('--scopes', 'products:delete');
  expect([code, out]).toEqual([1, '']);
  expect(error).toContain('products:delete is no scope.');
}, 120_000);
