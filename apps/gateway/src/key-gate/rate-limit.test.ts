import { describe, expect, test } from '@jest/globals';
import { rateLimited } from '@store/problem';
import fc from 'fast-check';
import { rateLimitOf } from './rate-limit.ts';

/** The values of the 429 of a key with 60 requests a minute; which limit applies is in key-gate.test.ts. */
function refusedAt(nowMs: number) {
  const asked = { record: undefined, version: 0, revoked: false, count: 61, completedLately: true, markStale: false, nowMs };
  const { limit, until } = rateLimitOf(asked, { rateLimit: 60 });
  const { headers } = rateLimited({ limit, now: new Date(nowMs), until }).extra;
  return { resetSeconds: Number(headers!['X-RateLimit-Reset']), retryAfterSeconds: Number(headers!['Retry-After']) };
}

describe('the rate limit', () => {
  test.each([
    ['2026-11-20T12:00:10.400Z', '2026-11-20T12:01:00Z', 50],
    ['2026-11-20T12:00:59.999Z', '2026-11-20T12:01:00Z', 1],
    ['2026-11-20T12:01:00.000Z', '2026-11-20T12:02:00Z', 60],
  ])('D12: at %s Reset is the end of the minute, %s, and Retry-After %i', (now, end, retryAfterSeconds) => {
    expect(refusedAt(Date.parse(now))).toEqual({ resetSeconds: Date.parse(end) / 1_000, retryAfterSeconds });
  });

  test('Retry-After is always 1 to 60, and a retry after it is in a new window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (nowMs) => {
        const { retryAfterSeconds, resetSeconds } = refusedAt(nowMs);
        expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
        expect(retryAfterSeconds).toBeLessThanOrEqual(60);
        expect(nowMs + retryAfterSeconds * 1_000).toBeGreaterThanOrEqual(resetSeconds * 1_000);
        expect(resetSeconds % 60).toBe(0);
      }),
    );
  });
});
