/** Specification: Authentication 6, revocation and expiry, and D8. */
import { describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { useWorld } from '../kit/use.ts';
import type { Store } from '../kit/world.ts';

const world = await useWorld();

const admin = (store: Store = world.store) => ({ token: store.token });
const createKey = (apiKey: unknown, store?: Store) => world.call('POST', '/api_keys', { ...admin(store), body: { api_key: apiKey } });
const refused = `{"error":"${texts.invalidKey}"}`;

describe('Authentication 6: revocation and expiry', () => {
  test('revoking while a slow read of the key is under way does not bring it back', async () => {
    const created = (await createKey({ name: 'Slow', scopes: ['products:read'] })).body;
    // The key was never used, so its first requests read it from the table, which is locked meanwhile.
    await world.database.query('begin; lock table gateway.api_keys in access exclusive mode');
    const waiting = world.call('GET', '/products', { key: created.key });
    const revoking = world.call('DELETE', `/api_keys/${created.api_key.id}`, admin());
    await world.database.query('commit');
    expect((await revoking).status).toBe(200);
    const told = 'select from webhooks.revoked_keys where key_id = $1';
    expect((await world.database.query(told, [created.api_key.id])).rowCount).toBe(1);
    expect([200, 401]).toContain((await waiting).status);
    expect((await world.call('GET', '/products', { key: created.key })).status).toBe(401);
  });

  test('D8: "An expired key is also rejected with 401": to the millisecond of expires_at', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + 60_000);
    const expiring = await world.newKey(world.store, { expires_at: expiresAt.toISOString() });
    expect((await world.call('GET', '/key', { key: expiring })).status).toBe(200);
    world.clock.set(new Date(expiresAt.getTime() - 1));
    expect((await world.call('GET', '/key', { key: expiring })).status).toBe(200);
    world.clock.set(expiresAt);
    const answer = await world.call('GET', '/key', { key: expiring });
    expect([answer.status, answer.text]).toEqual([401, refused]);
    world.clock.set(new Date(expiresAt.getTime() - 60_000));
  });

  test('D8: the key keeps working when the admin who created it is disabled', async () => {
    const store = await world.newStore();
    const token = await world.newStaff('admin', { name: 'Second' }, store);
    const own = await world.newKey(store);
    const users = (await world.call('GET', '/staff_users', admin(store))).body.staff_users;
    const first = users.find((user: { name: string }) => user.name !== 'Second');
    expect((await world.call('PATCH', `/staff_users/${first.id}`, { token, body: { staff_user: { active: false } } })).status).toBe(200);
    expect((await world.call('GET', '/products', { key: own })).status).toBe(200);
    expect((await world.call('GET', '/api_keys', admin(store))).status).toBe(401);
  });
});
