import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { asReply, messageOf, publicCall, refusal, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { password, staffOf } from '../../test/staff-under-test.ts';
import { checkCookieProof } from '../http/cookie-proof.ts';
import { confirmPassword } from './confirm-password.ts';
import { findSession } from './find-session.ts';

const start = '2026-11-21T09:30:00.000Z';
let person: ReturnType<typeof staffOf>['person'];
let attempt: ReturnType<typeof staffOf>['attempt'];

shareGateway();
beforeAll(async () => {
  ({ person, attempt } = staffOf(gateway, store));
});

const find = (token: string) => findSession(gateway.app, token);

describe('POST /staff_sessions', () => {
  test('a login answers a token, its expiry after 12 hours, the user, a CSRF token and the cookie', async () => {
    const { email, id, ip } = await person({ role: 'manager', financial_data: 'true' });
    const answer = asReply(await attempt(email, password, ip));
    const { token, expires_at, user, csrf_token } = answer.message!;
    expect(expires_at).toBe('2026-11-21T21:30:00.000Z');
    expect(user).toEqual({
      id,
      name: expect.any(String),
      email,
      role: 'manager',
      financial_data: true,
      active: true,
      invited_until: undefined,
      second_factor: false,
      created_at: start,
    });
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

  test('tokens and passwords are stored as hashes only', async () => {
    const { email, ip } = await person();
    const { token, csrf_token } = messageOf(await attempt(email, password, ip));
    const rows = await gateway.app.db.read<{ text: string }>(
      'select t::text from gateway.staff_sessions t union all select u::text from gateway.staff_users u union all select o::text from gateway.outbox o',
    );
    const text = JSON.stringify(rows);
    for (const secret of [token!, csrf_token!, password]) expect(text).not.toContain(secret);
  });

  test('each login has its own token, and earlier sessions stay valid', async () => {
    const { email, ip } = await person();
    const [first, second] = [messageOf(await attempt(email, password, ip)), messageOf(await attempt(email, password, ip))];
    expect(first.token).not.toBe(second.token);
    expect(await find(first.token!)).toBeDefined();
    expect(await find(second.token!)).toBeDefined();
  });

  test('a wrong password, an unknown address and a disabled user get the same 401', async () => {
    const { email, ip } = await person();
    const disabled = await person({ active: 'false' });
    const refusals = [
      await refusal(attempt(email, 'wrong password', ip)),
      await refusal(attempt('nobody@example.com', password, ip)),
      await refusal(attempt(disabled.email, password, ip)),
      await refusal(attempt("' OR 1=1--\0", password, ip)),
    ];
    for (const refused of refusals) expect(refused).toEqual({ status: 401, message: 'Invalid email or password', extra: {} });
  });

  test('a password above 256 characters counts as wrong without being processed: 160 KB of marks delay nobody', async () => {
    const { email, ip } = await person();
    const { passwords } = gateway.app;
    gateway.app.passwords = {
      ...passwords,
      matches: () => Promise.reject(new Error('looked at')),
      inTurn: () => Promise.reject(new Error('queued')),
    };
    const hostile = '\u0315'.repeat(40_000) + '\u0300'.repeat(40_000);
    const before = process.cpuUsage();
    for (const long of [hostile, 'x'.repeat(257)]) {
      expect(await refusal(attempt(email, long, ip))).toEqual({ status: 401, message: 'Invalid email or password', extra: {} });
      expect(await refusal(confirmPassword(gateway.app, store.session, long, { ip, requestId: 'req-12345678' }))).toMatchObject({
        status: 403,
      });
      const staff_user = { name: 'Long', email: 'long@example.com', password: long, role: 'clerk' };
      expect(await refusal(gateway.verbs.CreateStaffUser({ staff_user }, staffCall(store.session)))).toMatchObject({
        status: 422,
        extra: { errors: ['Password is too long (maximum is 256 characters)'] },
      });
    }
    // Normalising the hostile text takes 2.3 s of this process each time, however busy the machine is.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
    gateway.app.passwords = passwords;
  });

  test('a missing field is a 400', async () => {
    expect(await refusal(gateway.verbs.CreateStaffSession({ password }, publicCall()))).toMatchObject({
      status: 400,
      message: 'param is missing or the value is empty: email',
    });
    expect(await refusal(gateway.verbs.CreateStaffSession({ email: 'a@example.com' }, publicCall()))).toMatchObject({
      status: 400,
      message: 'param is missing or the value is empty: password',
    });
  });
});

describe('a session (docs/security.md, Staff)', () => {
  async function session() {
    const { email, ip, id } = await person();
    return { id, token: messageOf(await attempt(email, password, ip)).token! };
  }

  test('ends after 30 idle minutes, restarted by every use', async () => {
    const { token } = await session();
    for (let use = 1; use <= 3; use++) {
      gateway.clock.advance(29 * 60_000);
      expect(await find(token)).toBeDefined();
    }
    gateway.clock.advance(30 * 60_000);
    expect(await find(token)).toBeUndefined();
    gateway.clock.set(start);
  });

  test('ends 12 hours after the login, however busy', async () => {
    const { token } = await session();
    for (let minute = 20; minute < 12 * 60; minute += 20) {
      gateway.clock.advance(20 * 60_000);
      expect(await find(token)).toBeDefined();
    }
    gateway.clock.advance(20 * 60_000);
    expect(await find(token)).toBeUndefined();
    gateway.clock.set(start);
  });

  test('is updated when used, but at most once a minute', async () => {
    const { token, id } = await session();
    const seen = async () =>
      (
        await gateway.app.db.read<{ at: string }>(
          "select to_char(last_seen_at at time zone 'UTC', 'HH24:MI:SS') as at from gateway.staff_sessions where user_id = $1",
          [id],
        )
      )[0]!.at;
    gateway.clock.advance(59_000);
    await find(token);
    expect(await seen()).toBe('09:30:00');
    gateway.clock.advance(1_000);
    await find(token);
    expect(await seen()).toBe('09:31:00');
    gateway.clock.set(start);
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

  test('DELETE /staff_sessions/current ends it on the server and clears the cookie; other sessions stay valid', async () => {
    const { email, ip } = await person();
    const [one, two] = [messageOf(await attempt(email, password, ip)).token!, messageOf(await attempt(email, password, ip)).token!];
    const answer = asReply(await gateway.verbs.DeleteStaffSession({}, staffCall((await find(one))!)));
    expect(answer.message).toEqual({ success: true, message: 'Logged out' });
    expect(answer.options.cookies).toEqual(['__Host-sid=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0']);
    expect(await find(one)).toBeUndefined();
    expect(await find(two)).toBeDefined();
  });

  test('costs are seen by the role permission for financial data (Rules 4), full settings by all staff', async () => {
    const { email, ip } = await person();
    const plain = (await find(messageOf(await attempt(email, password, ip)).token!))!;
    expect(plain.scopes.has('costs:read')).toBe(false);
    expect(plain.scopes.has('settings:full')).toBe(true);
    expect(store.session.scopes.has('costs:read')).toBe(true);
  });
});
