import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { messageOf, refusal, startAt } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway } from '../../test/shared-gateway.ts';
import { attempt, deviceCookie, password, person } from '../../test/staff-under-test.ts';
import { waitAfterMs } from './login-throttle.ts';

shareGateway();
const wrong = (email: string, ip: string, more?: Parameters<typeof attempt>[3]) => refusal(attempt(email, 'wrong password', ip, more));
const logsIn = async (...who: Parameters<typeof attempt>) => expect(messageOf(await attempt(...who)).token).toBeDefined();

describe('login throttling (D177, D203)', () => {
  test('after five failures account and address wait 1 s, then doubled, up to 15 minutes', async () => {
    expect([1, 4, 5, 6, 7, 14, 15, 100].map(waitAfterMs)).toEqual([0, 0, 1_000, 2_000, 4_000, 512_000, 900_000, 900_000]);
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => waitAfterMs(failures + 1) >= waitAfterMs(failures) && waitAfterMs(failures) <= 900_000),
    );
  });

  test('while account and address wait the right password is a 429; then it resets them', async () => {
    const { email, ip } = await person();
    for (let failure = 1; failure <= 5; failure++) expect((await wrong(email, ip)).status).toBe(401);
    const refused = await refusal(attempt(email, password, ip));
    const reset = String(Date.parse(startAt) / 1_000 + 1);
    const headers = { 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset, 'Retry-After': '1' };
    expect(refused).toEqual({ status: 429, message: 'Rate limit exceeded. Retry later.', extra: { headers } });
    gateway.clock.advance(1_000);
    await logsIn(email, password, ip);
    for (let failure = 1; failure <= 4; failure++) expect((await wrong(email, ip)).status).toBe(401);
    await logsIn(email, password, ip);
  });

  test('repeated failures lock out only their own address, for any number of attempts', async () => {
    const { email, ip } = await person();
    const guesser = '203.0.113.66';
    for (let guess = 1; guess <= 40; guess++) {
      await wrong(email, guesser);
      gateway.clock.advance(15 * 60_000);
      expect((await wrong(email, guesser)).status).toBe(401);
      await logsIn(email, password, ip);
    }
  });

  test('addresses of one IPv6 /64 count as one address', async () => {
    const { email } = await person();
    for (let guess = 1; guess <= 6; guess++) expect((await wrong(email, `2001:db8:1:2::${guess}`)).status).toBe(guess <= 5 ? 401 : 429);
    await logsIn(email, password, '2001:db8:1:3::1');
  });

  test('an account has 100 failures an hour over all addresses; known devices log in', async () => {
    const { email, ip } = await person();
    const cookies = deviceCookie(await attempt(email, password, ip));
    // Ten at a time: more would wait for connections longer than a call may on a busy machine.
    for (let round = 0; round < 10; round++) {
      const guesses = Array.from({ length: 10 }, (_, n) => wrong(email, `10.1.${round}.${n}`));
      expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(guesses.map(() => 401));
    }
    expect(await refusal(attempt(email, password, ip))).toMatchObject({
      status: 429,
      extra: { headers: { 'X-RateLimit-Limit': '100', 'Retry-After': '1800' } },
    });
    await logsIn(email, password, ip, cookies);
    gateway.clock.advance(30 * 60_000);
    await logsIn(email, password, ip);
  });

  test('a known device has a count of its own, and its failures lock nobody else out', async () => {
    const { email, ip } = await person();
    const cookies = deviceCookie(await attempt(email, password, ip));
    for (let guess = 1; guess <= 5; guess++) await wrong(email, ip, cookies);
    expect((await refusal(attempt(email, password, ip, cookies))).status).toBe(429);
    await logsIn(email, password, ip);
    for (let guess = 1; guess <= 5; guess++) await wrong(email, ip);
    gateway.clock.advance(1_000);
    await wrong(email, ip);
    expect((await refusal(attempt(email, password, ip))).status).toBe(429);
    await logsIn(email, password, ip, cookies);
  });

  test("a device's token is valid for its own account only", async () => {
    const [one, two] = [await person(), await person()];
    const { cookies } = deviceCookie(await attempt(one.email, password, one.ip));
    const forged = cookies.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (let guess = 1; guess <= 5; guess++) await wrong(two.email, two.ip);
    for (const token of [cookies, forged, '__Host-device=x', '__Host-device='])
      expect((await refusal(attempt(two.email, password, two.ip, { cookies: token }))).status).toBe(429);
  });

  test('an unknown account is throttled like a known one', async () => {
    for (let guess = 1; guess <= 6; guess++) expect((await wrong('ghost@example.com', '203.0.113.20')).status).toBe(guess <= 5 ? 401 : 429);
  });

  test('an address has 20 failures a minute over all accounts; successes are not counted', async () => {
    const { email } = await person();
    const ip = '203.0.113.100';
    for (let success = 1; success <= 25; success++) await attempt(email, password, ip);
    for (let failure = 1; failure <= 20; failure++) {
      expect((await wrong(`guess-${failure}@example.com`, ip)).status).toBe(401);
    }
    const refused = await refusal(attempt(email, password, ip));
    expect(refused).toMatchObject({ status: 429, extra: { headers: { 'X-RateLimit-Limit': '20', 'Retry-After': '60' } } });
    await logsIn(email, password, '203.0.113.101');
    gateway.clock.advance(60_000);
    await logsIn(email, password, ip);
  });

  test('attempts in flight count: concurrent ones get no further than sequential ones', async () => {
    const { email, ip } = await person();
    const guesses = await Promise.all(Array.from({ length: 40 }, () => wrong(email, ip)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(35);
    const others = await Promise.all(Array.from({ length: 40 }, (_, n) => wrong(`at-once-${n}@example.com`, '203.0.113.30')));
    expect(others.filter(({ status }) => status === 401)).toHaveLength(20);
  });

  test('an attempt that could not be checked does not count', async () => {
    const { email, ip } = await person();
    const { passwords } = gateway.app;
    gateway.app.passwords = { ...passwords, matches: () => Promise.reject(new Error('no memory')) };
    for (let guess = 1; guess <= 30; guess++) await expect(attempt(email, password, ip)).rejects.toThrow('no memory');
    gateway.app.passwords = passwords;
    await logsIn(email, password, ip);
  });
});
