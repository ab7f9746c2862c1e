import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gatewayUnderTest, messageOf, refusal, type Store } from '../../test/gateway-under-test.ts';
import { password, staffOf } from '../../test/staff-under-test.ts';
import { waitAfterMs } from './login-throttle.ts';

const start = '2026-11-21T09:30:00.000Z';
let gateway: Awaited<ReturnType<typeof gatewayUnderTest>>;
let store: Store;
let person: ReturnType<typeof staffOf>['person'];
let attempt: ReturnType<typeof staffOf>['attempt'];

beforeAll(async () => {
  gateway = await gatewayUnderTest(start);
  store = await gateway.store();
  ({ person, attempt } = staffOf(gateway, store));
});
afterAll(() => gateway.close());

describe('login throttling (decision D177)', () => {
  test('after five failures an account waits 1 s, then twice as long each time, 15 minutes at most', async () => {
    expect([1, 4, 5, 6, 7, 14, 15, 100].map(waitAfterMs)).toEqual([0, 0, 1_000, 2_000, 4_000, 512_000, 900_000, 900_000]);
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => waitAfterMs(failures + 1) >= waitAfterMs(failures) && waitAfterMs(failures) <= 900_000),
    );
  });

  test('while it waits even the right password is a 429 with the headers of Limits; afterwards it logs in and starts afresh', async () => {
    const { email } = await person();
    for (let failure = 1; failure <= 5; failure++) {
      expect((await refusal(attempt(email, 'wrong password', `203.0.113.${failure}`))).status).toBe(401);
    }
    const refused = await refusal(attempt(email, password, '203.0.113.6'));
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
    expect(messageOf(await attempt(email, password, '203.0.113.7')).token).toBeDefined();
    expect((await refusal(attempt(email, 'wrong password', '203.0.113.8'))).status).toBe(401);
    expect(messageOf(await attempt(email, password, '203.0.113.9')).token).toBeDefined();
    gateway.clock.set(start);
  });

  test('an unknown account is throttled like a known one', async () => {
    const statuses = [];
    for (let failure = 1; failure <= 6; failure++) {
      statuses.push((await refusal(attempt('ghost@example.com', 'wrong password', `203.0.113.${20 + failure}`))).status);
    }
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

  test('many guesses at once get no further than guesses one after another', async () => {
    const { email } = await person();
    const guesses = Array.from({ length: 40 }, (_, index) => refusal(attempt(email, 'wrong password', `192.0.2.${100 + index}`)));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    // Two hash at a time, so at most one more than five was looked at.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(6);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(34);
  });
});
