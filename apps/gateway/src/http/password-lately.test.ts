/** D261: what changes who may do what needs a password that was given within ten minutes. */
import { beforeEach, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { adminPassword, type Store } from '../../test/gateway-under-test.ts';
import { shareDoor } from '../../test/http-under-test.ts';

const refused = [403, { error: 'Password confirmation required' }];
const door = shareDoor();
let store: Store;
beforeEach(async () => {
  store = await door.store();
});
const ask = (method: string, path: string, body?: object, token = store.token) => door.ask(method, path, token, body);
const asked = endpoints().filter(({ access }) => access.passwordLately);

test('the verbs of API keys and staff users and rotate_secret ask for it', () => {
  expect(asked.map(({ httpMethod, path }) => `${httpMethod} ${path}`).sort()).toEqual([
    'DELETE /api_keys/{id}',
    'DELETE /staff_users/me/second_factor',
    'DELETE /staff_users/{id}/second_factor',
    'PATCH /staff_users/{id}',
    'POST /api_keys',
    'POST /staff_users',
    'POST /staff_users/me/second_factor',
    'POST /staff_users/me/second_factor/confirm',
    'POST /staff_users/{id}/invite',
    'POST /webhook_monitor/{id}/rotate_secret',
  ]);
});

test.each(asked.filter(({ app }) => app === 'gateway').map((endpoint) => [`${endpoint.httpMethod} ${endpoint.path}`, endpoint] as const))(
  '%s passes for ten minutes after login or confirmation, then is an early 403',
  async (_name, { httpMethod, path }) => {
    const send = () => ask(httpMethod, path.replace('{id}', '999999'), httpMethod === 'DELETE' ? undefined : {});
    door.clock.advance(10 * 60_000 - 1);
    expect((await send())[0]).not.toBe(403);
    door.clock.advance(1);
    expect(await send()).toEqual(refused);
    const confirmed = await ask('POST', '/staff_sessions/confirm', { password: adminPassword });
    expect(confirmed).toEqual([200, { success: true, message: 'Password confirmed' }]);
    expect((await send())[0]).not.toBe(403);
    door.clock.advance(10 * 60_000);
    expect(await send()).toEqual(refused);
  },
);

test("a confirmation is its session's own; wrong is a 403, none a 400, many a 429", async () => {
  door.clock.advance(10 * 60_000);
  const other = await door.login(store.adminEmail);
  door.clock.advance(10 * 60_000);
  const missing = [400, { error: 'param is missing or the value is empty: password' }];
  for (const none of [{}, { password: '' }]) expect(await ask('POST', '/staff_sessions/confirm', none)).toEqual(missing);
  for (let guess = 1; guess <= 5; guess++) {
    expect(await ask('POST', '/staff_sessions/confirm', { password: 'wrong' })).toEqual([403, { error: 'Password is incorrect' }]);
  }
  expect((await ask('POST', '/staff_sessions/confirm', { password: adminPassword }))[0]).toBe(429);
  expect((await ask('POST', '/staff_sessions/confirm', { password: adminPassword }, other.token))[0]).toBe(200);
  expect(await ask('POST', '/api_keys', {})).toEqual(refused);
  expect((await ask('POST', '/api_keys', {}, other.token))[0]).toBe(400);
});

test('a role that may not is told so first', async () => {
  const clerk = { name: 'Cleo', email: `cleo-${store.storeId}@example.com`, password: 'another long password', role: 'clerk' };
  await ask('POST', '/staff_users', { staff_user: clerk });
  const { token } = await door.login(clerk.email, clerk.password);
  door.clock.advance(10 * 60_000);
  expect(await ask('POST', '/api_keys', {}, token)).toEqual([403, { error: 'Your role does not allow this action' }]);
});
