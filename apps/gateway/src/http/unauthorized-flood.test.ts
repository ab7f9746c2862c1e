import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { texts } from '@store/problem';
import { SetClock } from '@store/testbed';
import { refusal, type Store } from '../../test/gateway-under-test.ts';
import { shareDoor } from '../../test/http-under-test.ts';
import { newKey } from '../keys/key-text.ts';
import { BoundedMap, UnauthorizedFlood } from './unauthorized-flood.ts';

const limit = 5;
const address = '192.0.2.1';
const unknown = async () => undefined;

describe('the limit of 401s per address', () => {
  const clock = new SetClock('2026-11-21T09:30:20.000Z');
  let flood: UnauthorizedFlood;
  beforeEach(() => {
    clock.set('2026-11-21T09:30:20.000Z');
    flood = new UnauthorizedFlood(clock, limit);
  });
  const spend = (ip: string) => Array.from({ length: limit }, () => flood.count(ip));

  test('ends in a 429 with the headers of Limits, and restarts with the minute', async () => {
    expect(spend(address)).toEqual(Array.from({ length: limit }, () => undefined));
    const reset = String(Date.parse('2026-11-21T09:31:00Z') / 1_000);
    const headers = { 'X-RateLimit-Limit': '5', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': reset, 'Retry-After': '40' };
    expect(flood.count(address)).toMatchObject({ status: 429, message: texts.rateLimited, extra: { headers } });
    expect(flood.count('192.0.2.2')).toBeUndefined();
    clock.advance(40_000);
    expect(flood.count(address)).toBeUndefined();
  });

  test('is one for a whole IPv6 /64, and none for loopback', async () => {
    spend('2001:db8::1');
    expect(flood.count('2001:db8::2')).toMatchObject({ status: 429 });
    expect(flood.count('2001:db8:0:1::1')).toBeUndefined();
    for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect([...spend(ip), flood.count(ip)].some(Boolean)).toBe(false);
  });

  test('once spent, only credentials that were recently valid are looked up', async () => {
    const found = async () => 'the record';
    await flood.lookUp(address, 'good', found);
    await flood.lookUp(address, 'revoked', found, () => false);
    spend(address);
    let asked = 0;
    const find = async () => {
      asked += 1;
      return undefined;
    };
    for (const hash of ['new', 'revoked']) expect((await refusal(flood.lookUp(address, hash, find))).status).toBe(429);
    expect(asked).toBe(0);
    expect(await flood.lookUp(address, 'good', found)).toBe('the record');
    // It is no longer valid, and then counts as an unknown one.
    await flood.lookUp(address, 'good', find);
    expect((await refusal(flood.lookUp(address, 'good', find))).status).toBe(429);
    expect(asked).toBe(1);
  });

  test('counts lookups in flight, so that concurrent requests get no further', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>();
    const underWay = Array.from({ length: limit }, (_, n) => flood.lookUp(address, `n${n}`, () => answered));
    expect((await refusal(flood.lookUp(address, 'one more', unknown))).status).toBe(429);
    answer(undefined);
    await Promise.all(underWay);
    expect(await flood.lookUp(address, 'one more', unknown)).toBeUndefined();
  });
});

test('the memory of credentials is bounded and drops the oldest', () => {
  const map = new BoundedMap<number>(3);
  for (const [value, key] of ['a', 'b', 'a', 'c', 'd'].entries()) map.set(key, value);
  expect(Object.fromEntries(map)).toEqual({ a: 2, c: 3, d: 4 });
});

describe('over HTTP', () => {
  const door = shareDoor({}, { flood: new UnauthorizedFlood(new SetClock('2026-11-21T09:30:00.000Z'), limit) });
  let store: Store;
  const read: string[] = [];
  /** Requests for which the key gate was to write that their key is being read. */
  let prepared = 0;
  beforeAll(async () => {
    store = await door.store();
    const { db } = door.app;
    const observed: typeof db.read = (query, ...rest) => {
      read.push(typeof query === 'string' ? query : query.compile().sql);
      return db.read(query, ...rest);
    };
    door.app.db = { ...db, read: observed };
    const { keyGate } = door.app;
    const admit = keyGate.admit.bind(keyGate);
    keyGate.admit = (hash, mayRead) => {
      if (mayRead) prepared += 1;
      return admit(hash, mayRead);
    };
  });

  const asked = () => read.filter((text) => /"(?:api_keys|staff_sessions)"/.test(text));
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${door.baseUrl}/api/v1/settings`, { headers: { 'X-Forwarded-For': '203.0.113.5', ...headers } })).status;

  test('a flood of unknown credentials reaches no PostgreSQL and no Redis; others go on', async () => {
    const good = { 'X-API-Key': (await door.key(store, { rate_limit: 1000 })).key };
    const session = { Authorization: `Bearer ${store.token}` };
    expect([await ask(good), await ask(session)]).toEqual([200, 200]);
    for (let n = 0; n < limit; n++) expect(await ask({ 'X-API-Key': newKey() })).toBe(401);
    expect(asked()).not.toEqual([]);
    read.length = 0;
    prepared = 0;
    for (let n = 0; n < 20; n++) {
      expect(await ask({ 'X-API-Key': newKey() })).toBe(429);
      expect(await ask({ Authorization: `Bearer ${String(n).padStart(43, 'A')}` })).toBe(429);
    }
    expect([asked(), prepared]).toEqual([[], 0]);
    expect([await ask(good), await ask(session)]).toEqual([200, 200]);
    expect(await ask({ 'X-API-Key': newKey(), 'X-Forwarded-For': '203.0.113.6' })).toBe(401);
  });
});
