import { expect, test } from '@jest/globals';
import { CallLimit } from './call-limit.ts';

const givenMs = 5_000;

interface Done {
  atMs: number;
  tookMs: number;
}

/** A service that answers `perSecond` calls, one after the other, to callers that call `calls(second)` times a second. */
function served(
  limit: CallLimit,
  perSecond: number,
  seconds: number,
  calls: (second: number) => number,
): { done: Done[]; refused: Done[] } {
  const [done, refused]: [Done[], Done[]] = [[], []];
  const waiting: { fromMs: number; freeMs: number }[] = [];
  let freeMs = 0;
  for (let second = 0; second < seconds; second++) {
    for (let n = 0; n < calls(second); n++) {
      const nowMs = 1_000 * (second + n / calls(second));
      for (let first = waiting[0]; first && first.freeMs <= nowMs; first = waiting[0]) {
        const tookMs = first.freeMs - first.fromMs;
        limit.ended({ tookMs, givenMs, underWay: waiting.length, nowMs: first.freeMs });
        done.push({ atMs: first.freeMs, tookMs });
        waiting.shift();
      }
      if (waiting.length >= limit.value) {
        refused.push({ atMs: nowMs, tookMs: 0 });
        continue;
      }
      freeMs = Math.max(freeMs, nowMs) + 1_000 / perSecond;
      waiting.push({ fromMs: nowMs, freeMs });
    }
  }
  return { done, refused };
}

test.each([20, 100, 400])('three times what a service of %i calls a second can do: none late, all used', (capacity) => {
  const { done } = served(new CallLimit({ least: 10 }), capacity, 60, () => 3 * capacity);
  expect(done.filter(({ atMs, tookMs }) => atMs > 20_000 && tookMs > givenMs)).toEqual([]);
  expect(done.filter(({ atMs }) => atMs > 20_000 && atMs <= 50_000).length).toBeGreaterThan(0.95 * 30 * capacity);
});

test('after the overload no call is refused, and the next one finds the limit again', () => {
  const limit = new CallLimit();
  const peak = (second: number) => (second % 60 < 20 ? 2_000 : 200);
  const { done, refused } = served(limit, 400, 120, peak);
  const calm = ({ atMs }: Done) => atMs % 60_000 > 25_000;
  expect(refused.filter(calm)).toEqual([]);
  expect(Math.max(...done.filter(calm).map(({ tookMs }) => tookMs))).toBeLessThan(1_000);
  expect(refused.length).toBeGreaterThan(10_000);
});

test('few calls that take long lower it to no less than its least', () => {
  const limit = new CallLimit({ least: 100 });
  for (let n = 1; n <= 50; n++) limit.ended({ tookMs: 4_000, givenMs, underWay: 3, nowMs: n * 5_000 });
  expect(limit.value).toBe(100);
});

test('calls of one moment lower it once, whether they were answered or not', () => {
  const limit = new CallLimit();
  for (let n = 0; n < 500; n++) limit.ended({ tookMs: 5_000, givenMs, underWay: 1_000 - n, nowMs: 10_000 + n });
  expect(limit.value).toBe(500);
});

test('it rises only while calls reach it', () => {
  const limit = new CallLimit({ least: 100 });
  limit.ended({ tookMs: 4_000, givenMs, underWay: 100, nowMs: 0 });
  for (let n = 0; n < 1_000; n++) limit.ended({ tookMs: 10, givenMs, underWay: 20, nowMs: 5_000 + n });
  expect(limit.value).toBe(100);
  for (let n = 0; n < 1_000; n++) limit.ended({ tookMs: 10, givenMs, underWay: limit.value, nowMs: 6_000 + n });
  expect(limit.value).toBeGreaterThan(140);
  for (let n = 0; n < 1_000_000; n++) limit.ended({ tookMs: 10, givenMs, underWay: limit.value, nowMs: 7_000 + n });
  expect(limit.value).toBe(1_000);
});
