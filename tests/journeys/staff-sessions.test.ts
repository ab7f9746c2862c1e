/** Staff login, cookies, CSRF, logout and expiry (docs/security.md, Staff; D5, D177). */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { rawRequest, rawText } from '../kit/raw-http.ts';
import { useWorld } from '../kit/use.ts';
import type { Store } from '../kit/world.ts';

let store: Store;
const world = await useWorld({ TRUSTED_PROXIES: '1' });
beforeEach(async () => {
  store = await world.newStore();
});

const minuteMs = 60_000;
let addresses = 0;
/** A separate address, so that one test's failures do not throttle another. */
const fromNewAddress = () => ({ 'X-Forwarded-For': `198.51.100.${++addresses % 250}` });
const login = (password = store.password, email = store.email, headers: Record<string, string> = fromNewAddress()) =>
  world.call('POST', '/staff_sessions', { body: { email, password }, headers });
const own = (token: string) => world.call('GET', '/settings', { token });

describe('login', () => {
  test("row 74: a login sent by another site's page is refused before the password", async () => {
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      const answer = await login(store.password, store.email, headers as unknown as Record<string, string>);
      expect([answer.status, answer.body]).toEqual([403, { error: 'The request did not come from this site' }]);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  test('a form post, the way another site could send one without asking, is a 400', async () => {
    const answer = await world.call('POST', '/staff_sessions', {
      raw: `email=${store.email}&password=${store.password}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(400);
  });
});

describe('a session by cookie', () => {
  async function cookieSession() {
    const given = await login();
    const { token, csrf_token } = given.body;
    const cookies = [`__Host-sid=${token}; Path=/; Secure; HttpOnly; SameSite=Strict`, expect.stringMatching(/^__Host-device=[\w-]+;/)];
    expect([given.status, given.headers.getSetCookie()]).toEqual([201, cookies]);
    const send = (method: string, path: string, headers: string[] = [], body = '') =>
      rawRequest(
        world.baseUrl,
        rawText(
          `${method} /api/v1${path}`,
          [
            `Cookie: theme=dark; __Host-sid=${token}; other=1`,
            ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
            ...headers,
          ],
          body,
        ),
      );
    return { token, csrf: csrf_token as string, send };
  }
  const brand = JSON.stringify({ brand: { name: 'Cookie' } });

  test('reads need the cookie alone', async () => {
    const { send } = await cookieSession();
    expect((await send('GET', '/settings')).status).toBe(200);
    expect((await send('HEAD', '/settings')).status).toBe(200);
  });

  test('a change needs the CSRF token of that very session', async () => {
    const { send, csrf } = await cookieSession();
    const other = await cookieSession();
    for (const headers of [[], ['X-CSRF-Token: '], ['X-CSRF-Token: wrong'], [`X-CSRF-Token: ${other.csrf}`]]) {
      const answer = await send('POST', '/brands', headers, brand);
      expect([answer.status, answer.text]).toEqual([403, '{"error":"The request did not come from this site"}']);
    }
    expect((await send('POST', '/brands', [`X-CSRF-Token: ${csrf}`], brand)).status).toBe(201);
    const rows = await world.database.query('select from catalog.brands where store_id = $1', [store.id]);
    expect(rows.rowCount).toBe(1);
  });

  test('row 74: a foreign Origin or Sec-Fetch-Site is refused even with the token', async () => {
    const { send, csrf } = await cookieSession();
    const token = `X-CSRF-Token: ${csrf}`;
    for (const foreign of [
      'Origin: https://evil.example',
      'Origin: null',
      'Origin: http://store.example.evil.example',
      'Sec-Fetch-Site: cross-site',
    ]) {
      expect((await send('POST', '/brands', [token, foreign], brand)).status).toBe(403);
    }
    expect((await send('POST', '/brands', [token, 'Origin: https://store.example', 'Sec-Fetch-Site: same-origin'], brand)).status).toBe(
      201,
    );
  });

  test('a bearer token needs neither: a browser does not send it by itself', async () => {
    const { token } = await cookieSession();
    const headers = { Origin: 'https://evil.example' };
    expect((await world.call('POST', '/brands', { token, body: { brand: { name: 'Bearer' } }, headers })).status).toBe(201);
  });

  test('logout takes the cookie back; other sessions stay valid', async () => {
    const { send, csrf, token } = await cookieSession();
    const other = await cookieSession();
    const answer = await send('DELETE', '/staff_sessions/current', [`X-CSRF-Token: ${csrf}`]);
    expect([answer.status, answer.text]).toEqual([200, '{"success":true,"message":"Logged out"}']);
    expect(answer.headers['set-cookie']).toBe('__Host-sid=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0');
    expect([(await own(token)).status, (await own(other.token)).status]).toEqual([401, 200]);
  });
});

describe('a page that is left open', () => {
  const refreshed = (token: string) =>
    world.call('GET', '/webhook_monitor', { headers: { Authorization: `Bearer ${token}`, 'X-Background': 'true' } });

  test('keeps no session alive by refreshing or the live stream; a person does', async () => {
    const [left, used] = [(await login()).body.token, (await login()).body.token];
    for (let minute = 0; minute < 30; minute += 10) {
      world.clock.advance(10 * minuteMs - 1_000);
      expect((await own(used)).status).toBe(200);
      if (minute === 20) break;
      expect((await refreshed(left)).status).toBe(200);
      const aborting = new AbortController();
      const headers = { Authorization: `Bearer ${left}` };
      const stream = await fetch(`${world.baseUrl}/api/v1/webhook_monitor/stream`, { headers, signal: aborting.signal });
      expect(stream.status).toBe(200);
      aborting.abort();
    }
    world.clock.advance(minuteMs);
    expect([(await refreshed(left)).status, (await own(left)).status, (await own(used)).status]).toEqual([401, 401, 200]);
  });
});

describe('the audit trail', () => {
  test('has each login and each one that was refused, with the address; not a password', async () => {
    const headers = fromNewAddress();
    await login('wrong password 1', store.email, headers);
    await login(store.password, store.email, headers);
    await world.settled();
    const { body, text } = await world.call('GET', '/audit_entries?resource_type=StaffUser', { token: store.token });
    const entries = body.audit_entries.filter(({ action }: { action: string }) => action.startsWith('staff_user.login'));
    const mine = entries.slice(0, 2).map(({ action, actor, ip }: Record<string, never>) => [action, actor, ip]);
    const user = expect.objectContaining({ type: 'user', user: expect.objectContaining({ name: expect.any(String) }) });
    const [address] = Object.values(headers);
    expect(mine).toEqual([
      ['staff_user.login', user, address],
      ['staff_user.login_refused', expect.objectContaining({ type: 'system' }), address],
    ]);
    expect(text).not.toContain('wrong password');
  });
});
