import { describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { asReply, messageOf, publicCall, refusal, staffCall, startAt } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { attempt, find, login, password, person } from '../../test/staff-under-test.ts';
import { checkCookieProof } from '../http/cookie-proof.ts';
import { confirmPassword } from './confirm-password.ts';

shareGateway();

describe('POST /staff_sessions', () => {
  test('a login answers token, expiry after 12 hours, user, CSRF token and cookie', async () => {
    const { email, id, ip } = await person({ role: 'manager', financial_data: 'true' });
    const answer = asReply(await attempt(email, password, ip));
    const { token, expires_at, user, csrf_token } = answer.message!;
    expect(expires_at).toBe('2026-11-21T21:30:00.000Z');
    const state = { role: 'manager', financial_data: true, active: true, invited_until: undefined, second_factor: false };
    expect(user).toEqual({ id, name: expect.any(String), email, created_at: startAt, ...state });
    expect(answer.options.cookies).toEqual([
      `__Host-sid=${token}; Path=/; Secure; HttpOnly; SameSite=Strict`,
      expect.stringMatching(/^__Host-device=[\w-]{60,300}; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=31536000$/),
    ]);
    const session = (await find(token!))!;
    expect(session).toMatchObject({ userId: id, role: 'manager', financialData: true, storeId: store.storeId });
    expect(session.store.timeZone).toBe('Europe/London');
    const changeWith = (csrf: string) => () =>
      checkCookieProof({ request: { method: 'POST', headers: { 'x-csrf-token': csrf } } as unknown as Request, session });
    expect(changeWith(csrf_token!)).not.toThrow();
    for (const other of [token!, 'x', '']) expect(changeWith(other)).toThrow('did not come from this site');
  });

  test('the address is found in any case and with spaces around it', async () => {
    const { email, ip } = await person();
    expect(messageOf(await attempt(`  ${email.toUpperCase()} `, password, ip)).user!.email).toBe(email);
  });

  const invalid = { status: 401, message: 'Invalid email or password', extra: {} };

  test('a wrong password, an unknown address and a disabled user get the same 401', async () => {
    const { email, ip } = await person();
    const disabled = await person({ active: 'false' });
    expect(await refusal(attempt(email, 'wrong password', ip))).toEqual(invalid);
    for (const other of ['nobody@example.com', disabled.email, "' OR 1=1--\0"])
      expect(await refusal(attempt(other, password, ip))).toEqual(invalid);
  });

  test('a password above 256 characters counts as wrong without being processed', async () => {
    const { email, ip } = await person();
    const { passwords } = gateway.app;
    const never = () => Promise.reject(new Error('looked at'));
    gateway.app.passwords = { ...passwords, matches: never, inTurn: never };
    const hostile = '\u0315'.repeat(40_000) + '\u0300'.repeat(40_000);
    const before = process.cpuUsage();
    for (const long of [hostile, 'x'.repeat(257)]) {
      expect(await refusal(attempt(email, long, ip))).toEqual(invalid);
      const visit = { ip, requestId: 'req-12345678' };
      expect((await refusal(confirmPassword(gateway.app, store.session, long, visit))).status).toBe(403);
      const staff_user = { name: 'Long', email: 'long@example.com', password: long, role: 'clerk' };
      const refused = { status: 422, extra: { errors: ['Password is too long (maximum is 256 characters)'] } };
      expect(await refusal(gateway.verbs.CreateStaffUser({ staff_user }, staffCall(store.session)))).toMatchObject(refused);
    }
    // Normalising the hostile text takes 2.3 s of this process each time, however busy the machine is.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
    gateway.app.passwords = passwords;
  });

  test.each([
    ['email', { password }],
    ['password', { email: 'a@example.com' }],
  ])('a missing %s is a 400', async (name, request) => {
    const refused = { status: 400, message: `param is missing or the value is empty: ${name}` };
    expect(await refusal(gateway.verbs.CreateStaffSession(request, publicCall()))).toMatchObject(refused);
  });
});

describe('a session (docs/security.md, Staff)', () => {
  async function session() {
    const { email, ip, id } = await person();
    return { id, ...(await login(email, ip)) };
  }

  test('ends after 30 idle minutes, restarted by every use', async () => {
    const { token } = await session();
    for (let use = 1; use <= 3; use++) {
      gateway.clock.advance(29 * 60_000);
      expect(await find(token)).toBeDefined();
    }
    gateway.clock.advance(30 * 60_000);
    expect(await find(token)).toBeUndefined();
  });

  test('ends 12 hours after the login, however busy', async () => {
    const { token } = await session();
    for (let minute = 20; minute < 12 * 60; minute += 20) {
      gateway.clock.advance(20 * 60_000);
      expect(await find(token)).toBeDefined();
    }
    gateway.clock.advance(20 * 60_000);
    expect(await find(token)).toBeUndefined();
  });

  test('is updated when used, but at most once a minute', async () => {
    const { token, id } = await session();
    for (const [elapsedMs, writtenMs] of [
      [59_000, 0],
      [60_000, 60_000],
    ] as const) {
      gateway.clock.set(new Date(Date.parse(startAt) + elapsedMs).toISOString());
      await find(token);
      const text = 'select last_seen_at as at from gateway.staff_sessions where user_id = $1';
      const [row] = await gateway.app.db.read<{ at: Date }>(text, [id]);
      expect(row!.at.getTime() - Date.parse(startAt)).toBe(writtenMs);
    }
  });

  test('of a user who is not active is invalid, even if its row were left behind', async () => {
    const { token, id } = await session();
    await gateway.app.db.read('update gateway.staff_users set active = false where id = $1', [id]);
    expect(await find(token)).toBeUndefined();
  });

  test('an invalid token has no session', async () => {
    for (const token of ['', 'x', 'a'.repeat(43), '\0'.repeat(43), `${(await session()).token}x`])
      expect(await find(token)).toBeUndefined();
  });

  test('costs need the permission for financial data (Rules 4); all staff see settings', async () => {
    const { email, ip } = await person();
    const { session: plain } = await login(email, ip);
    expect(plain.scopes.has('costs:read')).toBe(false);
    expect(plain.scopes.has('settings:full')).toBe(true);
    expect(store.session.scopes.has('costs:read')).toBe(true);
  });
});
