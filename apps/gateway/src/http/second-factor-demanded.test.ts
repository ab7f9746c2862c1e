/** D262: a store demands a second factor of managers and admins. */
import { beforeAll, expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import { Secret, TOTP } from 'otpauth';
import { adminPassword, type Store } from '../../test/gateway-under-test.ts';
import { shareDoor } from '../../test/http-under-test.ts';

const refused = [403, { error: 'Second factor required' }];
const door = shareDoor();
let store: Store;
beforeAll(async () => {
  store = await door.store();
});
const ask: typeof door.ask = (...asked) => door.ask(...asked);
const demand = (on: boolean, token = store.token) => ask('PATCH', '/settings', token, { settings: { require_second_factor: on } });

test('the setting is off at first, and changing it needs a password given lately', async () => {
  expect((await ask('GET', '/settings', store.token))[1].settings.require_second_factor).toBe(false);
  door.clock.advance(10 * 60_000);
  expect(await demand(true)).toEqual([403, { error: 'Password confirmation required' }]);
  expect((await ask('PATCH', '/settings', store.token, { settings: { locale: 'fr' } }))[0]).toBe(200);
  await ask('POST', '/staff_sessions/confirm', store.token, { password: adminPassword });
  expect((await demand(true))[1].settings.require_second_factor).toBe(true);
});

test('without one a manager can only set it up, also in older sessions; then all works', async () => {
  const manager = { name: 'Mo', email: 'mo@demanded.example', password: 'another long password', role: 'manager' };
  expect(await ask('POST', '/staff_users', store.token, { staff_user: manager })).toEqual(refused);
  const allowed = endpoints().filter(({ access }) => access.withoutSecondFactor);
  expect(allowed.map(({ httpMethod, path }) => `${httpMethod} ${path}`).sort()).toEqual([
    'DELETE /staff_sessions/current',
    'GET /staff_users/me',
    'POST /staff_sessions/confirm',
    'POST /staff_users/me/second_factor',
    'POST /staff_users/me/second_factor/confirm',
  ]);
  const { token } = store;
  for (const path of ['/settings', '/api_keys', '/staff_sessions']) expect(await ask('GET', path, token)).toEqual(refused);
  expect((await ask('GET', '/staff_users/me', token))[1].staff_user).toMatchObject({ role: 'admin', second_factor: false });
  const [status, { secret }] = await ask('POST', '/staff_users/me/second_factor', token);
  expect(status).toBe(201);
  const otp = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: door.clock.now().getTime() });
  expect((await ask('POST', '/staff_users/me/second_factor/confirm', token, { otp }))[0]).toBe(200);
  expect((await ask('GET', '/staff_users/me', token))[1].staff_user.second_factor).toBe(true);
  expect((await ask('POST', '/staff_users', token, { staff_user: manager }))[0]).toBe(201);
  const hers = (await door.login(manager.email, manager.password)).token;
  expect(await ask('GET', '/settings', hers)).toEqual(refused);
});

test('a clerk needs none', async () => {
  const clerk = { name: 'Cleo', email: 'cleo@demanded.example', password: 'another long password', role: 'clerk' };
  await ask('POST', '/staff_users', store.token, { staff_user: clerk });
  const { token } = await door.login(clerk.email, clerk.password);
  expect((await ask('GET', '/settings', token))[0]).toBe(200);
});
