import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Outcome } from '../receivers/types.ts';
import { type Candidate, hostMax, type Place, PostLimiter } from './post-limiter.ts';

const accepted: Outcome = { kind: 'response', status: 204, durationMs: 20 };
const slow: Outcome = { ...accepted, durationMs: 9_900 };
const missing: Outcome = { kind: 'response', status: 404, durationMs: 20 };

const due = (changes: Partial<Candidate> = {}): Candidate => ({
  ...{ id: 1, storeId: 1, url: 'https://a.shop-erp.com/in', due: 11, dueSince: new Date(0), free: 10 },
  ...changes,
});
const bySubscription = (places: Place[]) => Map.groupBy(places, ({ subscriptionId }) => subscriptionId);
const counts = (places: Place[]) => Object.fromEntries([...bySubscription(places)].map(([id, own]) => [id, own.length]));

/** Subscriptions of one store with a host each. */
const ownHosts = (storeId: number, count: number) =>
  Array.from({ length: count }, (_, n) => due({ id: storeId * 100 + n, storeId, url: `https://${n}.shop-erp.com/` }));

test('D256: a store alone leaves a quarter of the slots to one that comes then', () => {
  const limiter = new PostLimiter(100);
  expect(limiter.take(ownHosts(1, 25)).places).toHaveLength(75);
  expect(limiter.take(ownHosts(2, 25)).places).toHaveLength(25);
  expect(limiter.isFull).toBe(true);
});

test('D256: stores that wait together share alike, and what one needs not others have', () => {
  const { places, left } = new PostLimiter(100).take([...ownHosts(1, 25), ...ownHosts(2, 25), due({ id: 300, storeId: 3, due: 4 })]);
  const ofStores = Map.groupBy(places, ({ storeId }) => storeId);
  expect([1, 2, 3].map((id) => ofStores.get(id)!.length)).toEqual([36, 35, 4]);
  expect(left.get(300)).toBeUndefined();
  expect(left.get(100)).toBe('slots');
});

test('freed slots go to the store that holds least, and there to what waits longest', () => {
  const limiter = new PostLimiter(100);
  const first = limiter.take(ownHosts(1, 25)).places;
  limiter.take(ownHosts(2, 25));
  limiter.end(first[0]!, missing);
  const waiting = [...ownHosts(1, 1), due({ id: 200, storeId: 2, free: 5 }), due({ id: 201, storeId: 2, free: 5, dueSince: new Date(-1) })];
  expect(counts(limiter.take(waiting).places)).toEqual({});
  for (const place of first.slice(1, 27)) limiter.end(place, missing);
  expect(counts(limiter.take(waiting).places)).toEqual({ 201: 1, 200: 1 });
});

test('point 9: ten POSTs of a store at a host that has not accepted one', () => {
  const limiter = new PostLimiter(500);
  const there = Array.from({ length: 25 }, (_, id) => due({ id, url: `https://anybody.shop-erp.com:8443/${id}` }));
  const { places, left } = limiter.take(there);
  expect(places).toHaveLength(hostMax);
  expect(new Set(left.values())).toEqual(new Set(['host 1 anybody.shop-erp.com:8443']));
  for (const place of places) limiter.end(place, missing);
  expect(limiter.take(there).places).toHaveLength(hostMax);
  // Another port is another server, and another store does not wait for this one.
  expect(limiter.take([due({ id: 90, url: 'https://anybody.shop-erp.com/' })]).places).toHaveLength(10);
  expect(limiter.take([due({ id: 91, storeId: 2, url: 'https://anybody.shop-erp.com:8443/' })]).places).toHaveLength(10);
});

test('a subscription whose POSTs are accepted quickly has its own ten until one is not', () => {
  const limiter = new PostLimiter(500);
  const pair = [due(), due({ id: 2 })];
  const answer = (outcome: Outcome) => {
    const [place] = limiter.take([due({ due: 1 })]).places;
    limiter.end(place!, outcome);
  };
  for (const last of [slow, missing, { kind: 'failed', reason: 'timeout', durationMs: 10_000 } as const]) {
    answer(accepted);
    const both = limiter.take(pair).places;
    expect(counts(both)).toEqual({ 1: 10, 2: 10 });
    for (const place of both) limiter.end(place);
    answer(last);
    const shared = limiter.take(pair).places;
    expect(counts(shared)).toEqual({ 1: 5, 2: 5 });
    for (const place of shared) limiter.end(place);
  }
  answer(accepted);
  const [moved] = limiter.take([due({ url: 'https://b.shop-erp.com/' })]).places;
  expect(moved!.isOfHost).toBe(true);
});

test('a ping is one of its host’s ten and of the tenth of the slots for pings', async () => {
  const limiter = new PostLimiter(500);
  const receiver = { id: 1, storeId: 1, url: 'https://a.shop-erp.com/' };
  const gate = Promise.withResolvers<string>();
  const pings = Array.from({ length: hostMax }, () => limiter.ping(receiver, () => gate.promise));
  expect(await limiter.ping(receiver, async () => 'one too many')).toBeUndefined();
  expect(limiter.take([due()]).places).toEqual([]);
  gate.resolve('answered');
  expect(await Promise.all(pings)).toEqual(Array(hostMax).fill('answered'));
  await expect(limiter.ping(receiver, () => Promise.reject(new Error('ours')))).rejects.toThrow('ours');
  expect(limiter.take([due()]).places).toHaveLength(10);
});

test('whatever is asked and ends, no limit is passed, and all comes back', () => {
  const step = fc.oneof(
    fc.array(fc.record({ id: fc.nat(11), due: fc.nat(12) }), { maxLength: 12 }).map((asked) => ({ kind: 'ask' as const, asked })),
    fc.record({ kind: fc.constant('end' as const), pick: fc.nat(), outcome: fc.constantFrom(accepted, slow, missing) }),
  );
  const property = fc.property(fc.constantFrom(1, 3, 8, 20, 60), fc.array(step, { maxLength: 60, size: 'max' }), (size, steps) => {
    const limiter = new PostLimiter(size);
    const held: Place[] = [];
    const heldBy = (key: 'subscriptionId' | 'storeId', id: number) => held.filter((place) => place[key] === id).length;
    for (const one of steps) {
      if (one.kind === 'end') {
        const [place] = held.splice(held.length === 0 ? 0 : one.pick % held.length, 1);
        if (place) limiter.end(place, one.outcome);
        continue;
      }
      const asked = [...new Map(one.asked.map((each) => [each.id, each])).values()].map(({ id, due: count }) =>
        // Three stores; two subscriptions of each share a host.
        due({ id, storeId: id % 3, due: count, free: 10 - heldBy('subscriptionId', id), url: `https://${id % 6}.shop-erp.com/` }),
      );
      const { places, left } = limiter.take(asked);
      held.push(...places);
      expect([...left.keys()].sort()).toEqual(asked.map(({ id }) => id).sort());
      expect(held.length).toBeLessThanOrEqual(size);
      for (const { id, storeId } of asked) {
        expect(heldBy('subscriptionId', id)).toBeLessThanOrEqual(10);
        const isKeptBack = left.get(id) === 'slots' && heldBy('storeId', storeId) < Math.floor(size / 4);
        if (isKeptBack) expect(limiter.isFull).toBe(true);
      }
      for (const own of Map.groupBy(held, ({ host }) => host).values())
        expect(own.filter(({ isOfHost }) => isOfHost).length).toBeLessThanOrEqual(hostMax);
    }
    for (const place of held) limiter.end(place, missing);
    expect(limiter.take(ownHosts(1, 25)).places).toHaveLength(Math.min(250, size - Math.floor(size / 4)));
  });
  fc.assert(property);
});
