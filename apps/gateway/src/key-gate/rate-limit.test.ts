import { describe, expect, test } from '@jest/globals';
import { rateLimited } from '@store/problem';
import fc from 'fast-check';
import type { Admission } from './key-gate.ts';
import { rateLimitOf } from './rate-limit.ts';

const admission = { record: undefined, version: 0, revoked: false, count: 1, completedLately: true, markStale: false, nowMs: 0 };
const at = (time: string) => new Date(time).getTime();

/** The limit with the values of its 429. */
function limitOf(asked: Admission, record: { rateLimit: number }) {
  const { limit, admitted, until } = rateLimitOf(asked, record);
  const { headers } = rateLimited({ limit, now: new Date(asked.nowMs), until }).extra;
  return { limit, admitted, resetSeconds: Number(headers!['X-RateLimit-Reset']), retryAfterSeconds: Number(headers!['Retry-After']) };
}

describe('the rate limit', () => {
  test('a request is admitted up to the limit and no further', () => {
    expect(limitOf({ ...admission, count: 120 }, { rateLimit: 120 }).admitted).toBe(true);
    expect(limitOf({ ...admission, count: 121 }, { rateLimit: 120 }).admitted).toBe(false);
  });

  test('before the first completion 60 applies, to larger and to smaller limits (D13)', () => {
    const cold = { ...admission, completedLately: false };
    expect(limitOf({ ...cold, count: 61 }, { rateLimit: 1_000 })).toMatchObject({ limit: 60, admitted: false });
    expect(limitOf({ ...cold, count: 60 }, { rateLimit: 10 })).toMatchObject({ limit: 60, admitted: true });
  });

  test('Reset is the end of the minute in Unix seconds and Retry-After the seconds left, rounded up (D12)', () => {
    const now = at('2026-11-20T12:00:10.400Z');
    expect(limitOf({ ...admission, nowMs: now }, { rateLimit: 60 })).toMatchObject({
      resetSeconds: at('2026-11-20T12:01:00Z') / 1_000,
      retryAfterSeconds: 50,
    });
  });

  test('Retry-After is 1 in the last millisecond and 60 in the first', () => {
    const seconds = (time: string) => limitOf({ ...admission, nowMs: at(time) }, { rateLimit: 60 }).retryAfterSeconds;
    expect(seconds('2026-11-20T12:00:59.999Z')).toBe(1);
    expect(seconds('2026-11-20T12:01:00.000Z')).toBe(60);
  });

  test('Retry-After is always 1 to 60, and a retry after it is in a new window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (nowMs) => {
        const { retryAfterSeconds, resetSeconds } = limitOf({ ...admission, nowMs }, { rateLimit: 60 });
        expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(retryAfterSeconds).toBeLessThanOrEqual(60);
        expect(nowMs + retryAfterSeconds * 1_000).toBeGreaterThanOrEqual(resetSeconds * 1_000);
        expect(resetSeconds % 60).toBe(0);
      }),
    );
  });
});
