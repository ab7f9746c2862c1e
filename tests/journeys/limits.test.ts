/** Specification: Limits, as far as the gateway enforces them: key limits, windows, the 429 and the cold start. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { useWorld } from '../kit/use.ts';
import type { Answer } from '../kit/world.ts';

const minuteMs = 60_000;
let minute = new Date('2026-11-21T10:00:00.000Z').getTime();

const world = await useWorld();
beforeEach(async () => {
  // Each test starts at the beginning of a new minute, with a new session.
  minute += 10 * minuteMs;
  world.clock.set(new Date(minute));
  const { email, password } = world.store;
  world.store.token = (await world.call('POST', '/staff_sessions', { body: { email, password } })).body.token;
});

const newKey = (rateLimit?: number) => world.newKey(world.store, { rate_limit: rateLimit, name: `limit ${rateLimit}` });
const get = (key: string, path = '/key') => world.call('GET', path, { key });

/** Statuses of `count` requests, one after the other. */
async function burst(key: string, count: number, path?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await get(key, path)).status);
  return statuses;
}
const admitted = (statuses: number[]) => statuses.filter((status) => status !== 429).length;
const rateHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
const limitHeaders = (answer: Answer) => rateHeaders.map((name) => answer.headers.get(name));

test('D12: "fixed one-minute windows", aligned to the epoch; the next starts afresh', async () => {
  const key = await newKey();
  world.clock.set(new Date(minute + 59_999));
  expect(admitted(await burst(key, 62))).toBe(60);
  world.clock.set(new Date(minute + minuteMs));
  expect(admitted(await burst(key, 62))).toBe(60);
});

test('Prefer: ratelimit shows the limit, beside strict; else only a 429 does', async () => {
  const key = await newKey(120);
  const prefer = (Prefer: string) => world.call('GET', '/products', { key, headers: { Prefer } });
  const reset = String((minute + minuteMs) / 1_000);
  expect(limitHeaders(await get(key, '/products'))).toEqual([null, null, null, null]);
  expect(limitHeaders(await prefer('ratelimit'))).toEqual(['120', '118', reset, null]);
  const both = await prefer('handling=strict, RateLimit');
  expect([both.headers.get('preference-applied'), ...limitHeaders(both)]).toEqual([
    'ratelimit, handling=strict',
    '120',
    '117',
    reset,
    null,
  ]);
  const others = [await get(key), await get(key, '/products/0'), await get(key, '/nothing'), await world.call('GET', '/key')];
  for (const answer of [await prefer('ratelimit=no'), ...others]) expect(limitHeaders(answer)).toEqual([null, null, null, null]);
});

test('"On 429 the headers are" Limit, Remaining, Reset and Retry-After', async () => {
  const key = await newKey(7);
  await burst(key, 8);
  world.clock.set(new Date(minute + 30_000));
  const answer = await get(key);
  expect([answer.status, answer.text]).toEqual([429, `{"error":"${texts.rateLimited}"}`]);
  expect(limitHeaders(answer)).toEqual(['7', '0', String((minute + minuteMs) / 1000), '30']);
  expect(answer.headers.get('x-error-code')).toBe('rate_limited');
});

describe('"Custom key limit takes effect once the key has completed a request", else 60', () => {
  test('a key of 1000 has 60 until its first request completes, and 1000 from then on', async () => {
    const key = await newKey(1000);
    expect((await get(key)).body.data.effective_limit).toBe(60);
    expect(admitted(await burst(key, 120))).toBe(120);
  });

  test('D13: a 429 does not keep a key warm', async () => {
    const key = await newKey(1);
    expect((await get(key)).status).toBe(200);
    for (let n = 1; n <= 4; n++) {
      world.clock.set(new Date(minute + n * 1_000));
      expect((await get(key)).status).toBe(429);
    }
    world.clock.set(new Date(minute + 5 * minuteMs + 1));
    expect((await get(key)).body.data.effective_limit).toBe(60);
  });

  test('D13: an error answer completes a request as well', async () => {
    const key = await newKey(500);
    expect((await get(key, '/products/0')).status).toBe(404);
    expect((await get(key)).body.data.effective_limit).toBe(500);
  });
});

describe('D10: what counts', () => {
  test('row 28: 403, 404, 422, HEAD and unknown routes count toward the limit', async () => {
    const key = await newKey(6);
    const statuses = [
      (await get(key)).status,
      (await get(key, '/api_keys')).status,
      (await get(key, '/products/0')).status,
      (await world.call('HEAD', '/products', { key })).status,
      (await world.call('POST', '/products', { key, body: { product: { name: '' } } })).status,
      (await get(key, '/nothing')).status,
      (await get(key)).status,
    ];
    expect(statuses).toEqual([200, 403, 404, 200, 422, 404, 429]);
  });

  test('401s do not count, and neither does OPTIONS', async () => {
    const key = await newKey(3);
    await get(key);
    for (let n = 0; n < 20; n++) {
      expect((await get(`${key}x`)).status).toBe(401);
      expect((await world.call('OPTIONS', '/products', { key })).status).toBe(204);
    }
    expect((await burst(key, 3)).sort()).toEqual([200, 200, 429]);
  });

  test('a key over its limit gets the 429 on every path and method; nothing is written', async () => {
    const key = await newKey(1);
    await get(key);
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['HEAD', '/products'],
      ['POST', '/products'],
    ] as const) {
      const body = method === 'POST' ? { product: { name: 'Never', sku: 'NEVER' } } : undefined;
      expect((await world.call(method, path, { key, body })).status).toBe(429);
    }
    expect((await world.database.query(`select from catalog.products where sku = 'NEVER'`)).rowCount).toBe(0);
  });
});
