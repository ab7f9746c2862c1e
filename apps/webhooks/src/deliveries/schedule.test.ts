import { describe, expect, test } from '@jest/globals';
import type { FailureReason } from '../receivers/types.ts';
import { type AttemptOutcome, attemptsMax, isRetryable, isSuccess, retryWaitsMs } from './schedule.ts';

const meaningOf = (outcome: AttemptOutcome) => {
  if (isSuccess(outcome)) return 'success';
  return isRetryable(outcome) ? 'retry' : 'final';
};

/** P8: without a response; attempt.test.ts shows which behaviour of a receiver gives which reason. */
const reasons: Record<FailureReason | 'secret_unreadable', 'retry' | 'final'> = {
  timeout: 'retry',
  refused: 'retry',
  reset: 'retry',
  dns: 'retry',
  tls: 'retry',
  not_https: 'final',
  blocked: 'final',
  secret_unreadable: 'final',
};

describe('Spec, Delivery 1 and 2: what an outcome means', () => {
  test('of all statuses 2xx succeeds, 429 and 5xx are retried, all others are final', () => {
    for (let status = 100; status <= 999; status++) {
      const expected = status >= 200 && status <= 299 ? 'success' : status === 429 || (status >= 500 && status <= 599) ? 'retry' : 'final';
      expect([status, meaningOf({ kind: 'response', status, durationMs: 12 })]).toEqual([status, expected]);
    }
  });

  test.each(Object.entries(reasons))('%s: %s', (reason, expected) => {
    expect(meaningOf({ kind: 'failed', reason: reason as FailureReason, durationMs: 12 })).toBe(expected);
  });
});

test('Spec, Delivery 3: five attempts, 1 m, 5 m, 30 m and 2 h apart', () => {
  const minute = 60_000;
  expect(retryWaitsMs).toEqual([minute, 5 * minute, 30 * minute, 120 * minute]);
  expect(attemptsMax).toBe(retryWaitsMs.length + 1);
});
