import { describe, expect, test } from '@jest/globals';
import type { FailureReason, Outcome } from '../receivers/types.ts';
import { attemptsMax, isRetryable, isSuccess, retryWaitsMs } from './schedule.ts';

const status = (code: number): Outcome => ({ kind: 'response', status: code, durationMs: 12 });
const failed = (reason: FailureReason): Outcome => ({ kind: 'failed', reason, durationMs: 12 });

/** P8: 29 outcomes, by the receiver's behaviour; attempt.test.ts shows which behaviour gives which outcome. */
const outcomes: [string, Outcome, 'success' | 'retry' | 'final'][] = [
  ['200', status(200), 'success'],
  ['201', status(201), 'success'],
  ['204', status(204), 'success'],
  ['299', status(299), 'success'],
  ['429', status(429), 'retry'],
  ['500', status(500), 'retry'],
  ['502', status(502), 'retry'],
  ['503', status(503), 'retry'],
  ['504', status(504), 'retry'],
  ['599', status(599), 'retry'],
  ['connect timeout', failed('timeout'), 'retry'],
  ['response timeout', failed('timeout'), 'retry'],
  ['ECONNREFUSED', failed('refused'), 'retry'],
  ['ECONNRESET', failed('reset'), 'retry'],
  ['NXDOMAIN', failed('dns'), 'retry'],
  ['TLS: expired', failed('tls'), 'retry'],
  ['TLS: self-signed', failed('tls'), 'retry'],
  ['TLS: wrong host', failed('tls'), 'retry'],
  ['100 only', status(100), 'final'],
  ['301', status(301), 'final'],
  ['302', status(302), 'final'],
  ['308', status(308), 'final'],
  ['400', status(400), 'final'],
  ['401', status(401), 'final'],
  ['404', status(404), 'final'],
  ['410', status(410), 'final'],
  ['422', status(422), 'final'],
  ['a URL that is not HTTPS', failed('not_https'), 'final'],
  ['a blocked address', failed('blocked'), 'final'],
];

describe('Spec, Delivery 1 and 2: what an outcome means', () => {
  test('the table of outcomes is complete: each of its 29 rows is tried below', () => {
    expect(outcomes).toHaveLength(29);
  });

  test.each(outcomes)('%s', (_title, outcome, expected) => {
    expect(isSuccess(outcome) ? 'success' : isRetryable(outcome) ? 'retry' : 'final').toBe(expected);
  });

  test('every status there is: 2xx succeeds, 429 and 5xx are retried, nothing else is', () => {
    for (let code = 100; code <= 999; code++) {
      expect([code, isSuccess(status(code))]).toEqual([code, code >= 200 && code <= 299]);
      expect([code, isRetryable(status(code))]).toEqual([code, code === 429 || (code >= 500 && code <= 599)]);
    }
  });
});

test('Spec, Delivery 3: five attempts, with 1 minute, 5 minutes, 30 minutes and 2 hours between them', () => {
  const minute = 60_000;
  expect(retryWaitsMs).toEqual([minute, 5 * minute, 30 * minute, 120 * minute]);
  expect(attemptsMax).toBe(retryWaitsMs.length + 1);
});
