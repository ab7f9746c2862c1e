import { describe, expect, test } from '@jest/globals';
import { asReply, messageOf, refusal, staffCall, startAt } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { findSession, type SessionRecord } from './find-session.ts';

const password = 'another long password';

shareGateway();

let people = 0;
const input = (more: Record<string, string | undefined> = {}) => {
  people += 1;
  return { name: `Maya ${people}`, email: `maya-${people}@example.com`, password, role: 'clerk', ...more };
};
const create = async (more: Record<string, string | undefined> = {}, by = store) =>
  messageOf(await gateway.verbs.CreateStaffUser({ staff_user: input(more) }, staffCall(by.session))).staff_user!;
const update = async (id: unknown, staff_user: Record<string, string>, by = store) =>
  messageOf(await gateway.verbs.UpdateStaffUser({ id: String(id), staff_user }, staffCall(by.session))).staff_user!;

describe('POST /staff_users', () => {
  test('creates staff; the address is stored in lower case, the password is not shown', async () => {
    const user = await create({ email: 'Maya.Lee@Example.COM', role: 'manager', financial_data: 'true' });
    const shown = { id: expect.any(Number), name: expect.any(String), email: 'maya.lee@example.com', created_at: startAt };
    const state = { role: 'manager', financial_data: true, active: true, invited_until: undefined, second_factor: false };
    expect(user).toEqual({ ...shown, ...state });
  });

  test('an address belongs to one person across all stores, in any case', async () => {
    const other = await gateway.store();
    const { email } = await create();
    const staff_user = input({ email: email!.toUpperCase() });
    const refused = await refusal(gateway.verbs.CreateStaffUser({ staff_user }, staffCall(other.session)));
    expect(refused).toMatchObject({ status: 422, extra: { errors: ['Email has already been taken'] } });
  });

  test('D27: of two at once with one address one is created, the other a 409 or a 422', async () => {
    const staff_user = input();
    const both = await Promise.allSettled([1, 2].map(() => gateway.verbs.CreateStaffUser({ staff_user }, staffCall(store.session))));
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const lost = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect([409, 422]).toContain(lost.reason.status);
    if (lost.reason.status === 409) expect(lost.reason.extra.details).toBe('email has already been taken');
  });
});

test('a hostile password of 256 characters is hashed off the process, which goes on', async () => {
  const staff_user = { ...input(), password: Array.from({ length: 256 }, (_, n) => String.fromCharCode(33 + ((n * 7919) % 90))).join('') };
  const before = process.threadCpuUsage();
  await gateway.verbs.CreateStaffUser({ staff_user }, staffCall(store.session));
  // Judged here it takes more than a second of this thread.
  expect(process.threadCpuUsage(before).user).toBeLessThan(300_000);
});

describe('/staff_users/me (D264)', () => {
  const me = async (session: SessionRecord) => messageOf(await gateway.verbs.GetOwnStaffUser({}, staffCall(session))).staff_user;
  const change = (session: SessionRecord, staff_user?: object) => gateway.verbs.UpdateOwnStaffUser({ staff_user }, staffCall(session));

  test('shows the one who calls, whatever the role', async () => {
    const user = await create();
    expect(await me((await gateway.login(user.email!, password)).session)).toEqual(user);
  });

  test('changes the own password given the current one, and ends all other sessions', async () => {
    const user = await create();
    const [mine, other] = [await gateway.login(user.email!, password), await gateway.login(user.email!, password)];
    const next = 'a brand new password';
    expect(messageOf(await change(mine.session, { current_password: password, password: next })).staff_user).toEqual(user);
    expect(await findSession(gateway.app, mine.token)).toBeDefined();
    expect(await findSession(gateway.app, other.token)).toBeUndefined();
    expect((await refusal(gateway.login(user.email!, password))).status).toBe(401);
    await gateway.login(user.email!, next);
    const [entry] = await gateway.audits(`staff_user:${user.id}`, 'staff_user.updated');
    expect(entry!.audit).toMatchObject({ after: { password_changed: true } });
    expect(JSON.stringify(entry)).not.toContain('brand new');
  });

  const current_password = password;
  const tooShort = 'Validation failed: Password is too short (minimum is 12 characters)';
  test.each([
    ['no staff_user', undefined, 400, 'param is missing or the value is empty: staff_user'],
    ['no current password', { password }, 422, "Validation failed: Current password can't be blank"],
    ['no new one', { current_password }, 422, "Validation failed: Password can't be blank"],
    ['a short new one', { current_password, password: 'short' }, 422, tooShort],
    ['one that is easy to guess', { current_password, password: 'qwertyuiop123' }, 422, 'Validation failed: Password is too easy to guess'],
    ['a wrong current password', { current_password: 'wrong', password: 'a brand new password' }, 403, 'Password is incorrect'],
  ])('%s is refused', async (_title, staff_user, status, message) => {
    const user = await create();
    const { session } = await gateway.login(user.email!, password);
    expect(await refusal(change(session, staff_user))).toMatchObject({ status, message });
    await gateway.login(user.email!, password);
  });

  test('a repeated Idempotency-Key is the same answer, though the password changed', async () => {
    const user = await create();
    const { session } = await gateway.login(user.email!, password);
    const call = staffCall(session, { idempotency: { key: 'own-1', hash: Buffer.alloc(32) } });
    const staff_user = { current_password: password, password: 'a brand new password' };
    await gateway.verbs.UpdateOwnStaffUser({ staff_user }, call);
    const again = asReply(await gateway.verbs.UpdateOwnStaffUser({ staff_user }, call));
    expect(again.options.headers).toEqual({ 'Idempotency-Replayed': 'true' });
  });

  test('wrong current passwords are throttled', async () => {
    const user = await create();
    const { session } = await gateway.login(user.email!, password);
    const guess = () => change(session, { current_password: 'wrong', password: 'a brand new password' });
    for (let n = 0; n < 5; n++) expect((await refusal(guess())).status).toBe(403);
    expect((await refusal(guess())).status).toBe(429);
  });
});

describe('GET /staff_users', () => {
  test("lists this store's staff by name", async () => {
    const other = await gateway.store({ adminName: 'Mo' });
    await create({ name: 'Zoe' }, other);
    await create({ name: 'Ann' }, other);
    const users = messageOf(await gateway.verbs.ListStaffUsers({}, staffCall(other.session))).staff_users!;
    expect(users.map(({ name }) => name)).toEqual(['Ann', 'Mo', 'Zoe']);
    expect(JSON.stringify(users)).not.toContain('scrypt');
  });
});

describe('PATCH /staff_users/:id', () => {
  test('changes only what is sent', async () => {
    const user = await create({ role: 'manager' });
    expect(await update(user.id, { name: 'New Name' })).toEqual({ ...user, name: 'New Name' });
  });

  test.each([
    ['another role', { role: 'manager' }],
    ['a new password', { password: 'a brand new password' }],
    ['a new e-mail', { email: 'renamed@example.com' }],
    ['being disabled', { active: 'false' }],
  ])('%s ends all sessions of the user at once', async (_title, changed) => {
    const user = await create();
    const { token } = await gateway.login(user.email!, password);
    await update(user.id, changed);
    expect(await findSession(gateway.app, token)).toBeUndefined();
  });

  test('who changes the own password keeps the session that calls, and no other (D263)', async () => {
    const own = await gateway.store();
    const { token } = await gateway.login(own.adminEmail);
    await update(own.adminId, { password: 'a brand new password' }, own);
    expect(await findSession(gateway.app, own.token)).toBeDefined();
    expect(await findSession(gateway.app, token)).toBeUndefined();
  });

  test('a new name or cost visibility keeps sessions and applies at once', async () => {
    const user = await create();
    const { token } = await gateway.login(user.email!, password);
    await update(user.id, { name: 'Still here', financial_data: 'true' });
    expect(await findSession(gateway.app, token)).toMatchObject({ name: 'Still here', financialData: true });
  });

  test.each<Record<string, string>>([{ role: 'manager' }, { active: 'false' }])(
    'the last active admin cannot be changed by %j',
    async (changed) => {
      const lonely = await gateway.store();
      await create({ role: 'admin', active: 'false' }, lonely);
      const refused = { status: 422, extra: { errors: ["The store's last active admin can't be demoted or disabled"] } };
      expect(await refusal(update(lonely.adminId, changed, lonely))).toMatchObject(refused);
      expect(await findSession(gateway.app, lonely.token)).toBeDefined();
    },
  );

  test('two admins who demote each other at the same time leave one admin', async () => {
    const pair = await gateway.store();
    const second = await create({ role: 'admin' }, pair);
    const both = await Promise.allSettled([update(pair.adminId, { role: 'clerk' }, pair), update(second.id, { role: 'clerk' }, pair)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('the new password logs in and the old one does not; the audit entry has neither', async () => {
    const user = await create();
    await update(user.id, { role: 'manager', password: 'a brand new password' });
    expect((await refusal(gateway.login(user.email!, password))).status).toBe(401);
    await gateway.login(user.email!, 'a brand new password');
    const [entry] = await gateway.audits(`staff_user:${user.id}`, 'staff_user.updated');
    expect(entry!.audit).toMatchObject({ before: { role: 'clerk' }, after: { role: 'manager', password_changed: true } });
    expect(JSON.stringify(entry)).not.toContain('brand new');
  });
});

test('after five addresses that are taken, in any store, an admin waits with any other', async () => {
  const [own, other] = [await gateway.store(), await gateway.store()];
  const there = await create({}, other);
  const { id } = await create({}, own);
  const tried = (email: string) => refusal(create({ email }, own));
  for (let n = 0; n < 5; n++)
    expect(await tried(there.email!)).toMatchObject({ status: 422, message: 'Validation failed: Email has already been taken' });
  expect((await tried(there.email!)).status).toBe(429);
  expect((await tried('free@example.com')).status).toBe(429);
  expect((await refusal(update(id, { email: there.email! }, own))).status).toBe(429);
  // What names no address does not wait, and other stores do not.
  expect((await update(id, { name: 'Robin' }, own)).name).toBe('Robin');
  await create({}, other);
});
