import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { messageOf, refusal } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import { deviceCookie, password, staffOf } from '../../test/staff-under-test.ts';
import { waitAfterMs } from './login-throttle.ts';

const start = '2026-11-21T09:30:00.000Z';
let person: ReturnType<typeof staffOf>['person'];
let attempt: ReturnType<typeof staffOf>['attempt'];

shareGateway();
beforeAll(async () => {
  ({ person, attempt } = staffOf(gateway, store));
});

describe('login throttling (D177, D203)', () => {
  test('after five failures account and address wait 1 s, then twice as long each time, at most 15 minutes', async () => {
    expect([1, 4, 5, 6, 7, 14, 15, 100].map(waitAfterMs)).toEqual([0, 0, 1_000, 2_000, 4_000, 512_000, 900_000, 900_000]);
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => waitAfterMs(failures + 1) >= waitAfterMs(failures) && waitAfterMs(failures) <= 900_000),
    );
  });

  test('while account and address wait even the right password is a 429 with the headers of Limits; afterwards it logs in and resets the count', async () => {
    const { email, ip } = await person();
    for (let failure = 1; failure <= 5; failure++) expect((await refusal(attempt(email, 'wrong password', ip))).status).toBe(401);
    const refused = await refusal(attempt(email, password, ip));
    expect(refused).toEqual({
      status: 429,
      message: 'Rate limit exceeded. Retry later.',
      extra: {
        headers: {
          'X-RateLimit-Limit': '5',
          'X-RateLimit-Remaining': '0',
          'X-RateLimit-Reset': String(Date.parse(start) / 1_000 + 1),
          'Retry-After': '1',
        },
      },
    });
    gateway.clock.advance(1_000);
    expect(messageOf(await attempt(email, password, ip)).token).toBeDefined();
    for (let failure = 1; failure <= 4; failure++) expect((await refusal(attempt(email, 'wrong password', ip))).status).toBe(401);
    expect(messageOf(await attempt(email, password, ip)).token).toBeDefined();
    gateway.clock.set(start);
  });

  test('repeated failures lock out only their own address, for any number of attempts', async () => {
    const { email, ip } = await person();
    const guesser = '203.0.113.66';
    for (let guess = 1; guess <= 40; guess++) {
      await refusal(attempt(email, 'wrong password', guesser));
      gateway.clock.advance(15 * 60_000);
      expect((await refusal(attempt(email, 'wrong password', guesser))).status).toBe(401);
      expect(messageOf(await attempt(email, password, ip)).token).toBeDefined();
    }
    gateway.clock.set(start);
  });

  test('addresses of one IPv6 /64 count as one address', async () => {
    const { email } = await person();
    const statuses = [];
    for (let guess = 1; guess <= 6; guess++)
      statuses.push((await refusal(attempt(email, 'wrong password', `2001:db8:1:2::${guess}`))).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(messageOf(await attempt(email, password, '2001:db8:1:3::1')).token).toBeDefined();
  });

  test('an account has 100 failures an hour over all addresses; a known device can still log in', async () => {
    const { email, ip } = await person();
    const cookies = deviceCookie(await attempt(email, password, ip));
    // Ten at a time: more would wait for connections longer than a call may on a busy machine.
    for (let round = 0; round < 10; round++) {
      const guesses = Array.from({ length: 10 }, (_, n) => refusal(attempt(email, 'wrong password', `10.1.${round}.${n}`)));
      expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(guesses.map(() => 401));
    }
    expect(await refusal(attempt(email, password, ip))).toMatchObject({
      status: 429,
      extra: { headers: { 'X-RateLimit-Limit': '100', 'Retry-After': '1800' } },
    });
    expect(messageOf(await attempt(email, password, ip, cookies)).token).toBeDefined();
    gateway.clock.advance(30 * 60_000);
    expect(messageOf(await attempt(email, password, ip)).token).toBeDefined();
    gateway.clock.set(start);
  });

  test('a known device has a count of its own, and its failures lock nobody else out', async () => {
    const { email, ip } = await person();
    const cookies = deviceCookie(await attempt(email, password, ip));
    for (let guess = 1; guess <= 5; guess++) await refusal(attempt(email, 'wrong password', ip, cookies));
    expect((await refusal(attempt(email, password, ip, cookies))).status).toBe(429);
    expect(messageOf(await attempt(email, password, ip)).token).toBeDefined();
    for (let guess = 1; guess <= 5; guess++) await refusal(attempt(email, 'wrong password', ip));
    gateway.clock.advance(1_000);
    await refusal(attempt(email, 'wrong password', ip));
    expect((await refusal(attempt(email, password, ip))).status).toBe(429);
    expect(messageOf(await attempt(email, password, ip, cookies)).token).toBeDefined();
    gateway.clock.set(start);
  });

  test("a device's token is valid for its own account only", async () => {
    const [one, two] = [await person(), await person()];
    const cookies = deviceCookie(await attempt(one.email, password, one.ip));
    const forged = cookies.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (let guess = 1; guess <= 5; guess++) await refusal(attempt(two.email, 'wrong password', two.ip));
    for (const token of [cookies, forged, '__Host-device=x', '__Host-device='])
      expect((await refusal(attempt(two.email, password, two.ip, token))).status).toBe(429);
  });

  test('an unknown account is throttled like a known one', async () => {
    const statuses = [];
    for (let failure = 1; failure <= 6; failure++)
      statuses.push((await refusal(attempt('ghost@example.com', 'wrong password', '203.0.113.20'))).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('an address has 20 failures a minute over all accounts; successes are not counted', async () => {
    const { email } = await person();
    const ip = '203.0.113.100';
    for (let success = 1; success <= 25; success++) await attempt(email, password, ip);
    for (let failure = 1; failure <= 20; failure++) {
      expect((await refusal(attempt(`guess-${failure}@example.com`, 'wrong password', ip))).status).toBe(401);
    }
    const refused = await refusal(attempt(email, password, ip));
    expect(refused).toMatchObject({ status: 429, extra: { headers: { 'X-RateLimit-Limit': '20', 'Retry-After': '60' } } });
    expect(messageOf(await attempt(email, password, '203.0.113.101')).token).toBeDefined();
    gateway.clock.advance(60_000);
    expect(messageOf(await attempt(email, password, ip)).token).toBeDefined();
    gateway.clock.set(start);
  });

  test('attempts in flight count: concurrent ones get no further than sequential ones', async () => {
    const { email, ip } = await person();
    const guesses = await Promise.all(Array.from({ length: 40 }, () => refusal(attempt(email, 'wrong password', ip))));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(35);
    const others = await Promise.all(
      Array.from({ length: 40 }, (_, n) => refusal(attempt(`at-once-${n}@example.com`, 'wrong password', '203.0.113.30'))),
    );
    expect(others.filter(({ status }) => status === 401)).toHaveLength(20);
  });

  test('an attempt that could not be checked does not count', async () => {
    const { email, ip } = await person();
    const { passwords } = gateway.app;
    gateway.app.passwords = { ...passwords, matches: () => Promise.reject(new Error('no memory')) };
    for (let guess = 1; guess <= 30; guess++) await expect(attempt(email, password, ip)).rejects.toThrow('no memory');
    gateway.app.passwords = passwords;
    expect(messageOf(await attempt(email, password, ip)).token).toBeDefined();
  });
});
