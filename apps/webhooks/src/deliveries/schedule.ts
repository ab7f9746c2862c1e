/** Consequences of an attempt's outcome, as data (Spec, Delivery 2 and 3). */
import type { Outcome } from '../receivers/types.ts';

/** Nothing was sent: no key of ours opens the subscription's secret (D207). */
export const secretUnreadable = 'secret_unreadable';

/** How an attempt ended, including one that was never sent. */
export type AttemptOutcome = Outcome | { kind: 'failed'; reason: typeof secretUnreadable; durationMs: number };

/** Spec, Delivery 3: "1 minute, 5 minutes, 30 minutes, 2 hours"; each from the end of the attempt before (D138). */
export const retryWaitsMs: readonly number[] = [60_000, 300_000, 1_800_000, 7_200_000];

/** Spec, Delivery 3: "Up to 5 attempts in total". */
export const attemptsMax = 5;

/** Spec, Delivery 1: "Success is any 2xx". */
export function isSuccess(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'response' && outcome.status >= 200 && outcome.status <= 299;
}

/** Spec, Delivery 2: the table, a row per line. */
export function isRetryable(outcome: AttemptOutcome): boolean {
  // 5xx or 429; any other status that is no success is final, a redirect and 410 too (D136).
  if (outcome.kind === 'response') return (outcome.status >= 500 && outcome.status <= 599) || outcome.status === 429;
  // No response: retried, unless our own guard refused the address or the delivery could not be signed.
  return !(outcome.reason === 'blocked' || outcome.reason === 'not_https' || outcome.reason === secretUnreadable);
}
