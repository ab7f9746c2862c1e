/**
 * Decides what the end of an attempt changes in its delivery and subscription, and what else happens in that transaction.
 * A pure function, so that random histories can be tested; `recordResults` locks both rows and stores the result.
 */
import { type AttemptOutcome, attemptsMax, isRetryable, isSuccess, retryWaitsMs, secretUnreadable } from './schedule.ts';

/** One delivery of an event to a subscription. */
export interface DeliveryState {
  state: 'pending' | 'leased' | 'succeeded' | 'failed' | 'skipped';
  /** Attempts that ended; lost ones are not among them. */
  attempts: number;
  /** When the next attempt may start; meaningless once the delivery has ended. */
  dueAtMs: number;
  /** Requested by a person (replay, resend): its final failure is not in failure_count (D140). */
  manual: boolean;
}

export interface SubscriptionState {
  active: boolean;
  failureCount: number;
  /** Replays that finally failed since the last success. */
  replayFailures: number;
  disabledAtMs: number | null;
  deleted: boolean;
  keyRevokedAtMs: number | null;
  keyExpiresAtMs: number | null;
}

export interface EngineState {
  delivery: DeliveryState;
  subscription: SubscriptionState;
}

export type EngineEffect =
  /** POST the event; the number is X-Service-Attempt. */
  | { kind: 'send'; attempt: number }
  /** The attempt's row in the log. */
  | { kind: 'log'; attempt: number; outcome: AttemptOutcome; success: boolean }
  /** The subscription has just been disabled: its other pending deliveries end as skipped. */
  | { kind: 'cancel_pending' }
  /** Too many replays have failed: the pending ones end as skipped. */
  | { kind: 'cancel_replays' }
  /** A notice for staff. */
  | { kind: 'notice'; notice: NoticeKind; failureCount: number };

/** At 60 and 80 % of the disable threshold, at 100 %, and when a delivery has finally failed, for any reason. */
export type NoticeKind = 'failing_60' | 'failing_80' | 'disabled' | 'delivery_exhausted' | typeof secretUnreadable;

/** The new state and the actions in the same transaction. */
export interface EngineStep {
  state: EngineState;
  effects: EngineEffect[];
}

/** Spec, Delivery 5: "At 5 the subscription is disabled". */
export const failuresMax = 5;

/** Whether a POST of this subscription may start (Spec, Webhook subscription states; Delivery 6). */
export function isDeliverable(subscription: SubscriptionState, nowMs: number): boolean {
  const { active, deleted, keyRevokedAtMs, keyExpiresAtMs } = subscription;
  return active && !deleted && keyRevokedAtMs === null && (keyExpiresAtMs === null || nowMs < keyExpiresAtMs);
}

export function attemptEnded(
  state: EngineState,
  outcome: AttemptOutcome,
  nowMs: number,
  waitsMs: readonly number[] = retryWaitsMs,
): EngineStep {
  const { delivery, subscription } = state;
  const attempts = delivery.attempts + 1;
  const success = isSuccess(outcome);
  const log: EngineEffect = { kind: 'log', attempt: attempts, outcome, success };
  if (success) {
    const next = { ...subscription, failureCount: 0, replayFailures: 0 };
    return { state: { delivery: { ...delivery, state: 'succeeded', attempts }, subscription: next }, effects: [log] };
  }
  if (attempts < attemptsMax && isRetryable(outcome)) {
    const next: Partial<DeliveryState> = isDeliverable(subscription, nowMs)
      ? { state: 'pending', attempts, dueAtMs: nowMs + waitsMs[attempts - 1]! }
      : { state: 'skipped', attempts };
    return { state: withDelivery(state, next), effects: [log] };
  }
  const failed = withDelivery(state, { state: 'failed', attempts });
  // D207: not the receiver's failure, so it does not count.
  if (outcome.kind === 'failed' && outcome.reason === secretUnreadable)
    return { state: failed, effects: [log, { kind: 'notice', notice: secretUnreadable, failureCount: subscription.failureCount }] };
  return finallyFailed(failed, log, nowMs);
}

/** Spec, Delivery 5: failure_count rises by one only here. */
function finallyFailed(state: EngineState, log: EngineEffect, nowMs: number): EngineStep {
  const { subscription, delivery } = state;
  // D140: a failure of a requested delivery (replay, resend) is counted by itself and disables nothing.
  const failureCount = subscription.failureCount + (delivery.manual ? 0 : 1);
  const exhausted: EngineEffect = { kind: 'notice', notice: 'delivery_exhausted', failureCount };
  if (delivery.manual) {
    const replayFailures = subscription.replayFailures + 1;
    const more: EngineEffect[] = replayFailures >= failuresMax ? [{ kind: 'cancel_replays' }] : [];
    return { state: { delivery, subscription: { ...subscription, replayFailures } }, effects: [log, exhausted, ...more] };
  }
  const counted: SubscriptionState = { ...subscription, failureCount };
  const notice = (name: 'failing_60' | 'failing_80' | 'disabled'): EngineEffect => ({ kind: 'notice', notice: name, failureCount });
  // Compared with >=: re-enabling by PATCH keeps the count at 5 or more (D131).
  if (failureCount >= failuresMax && subscription.active) {
    const disabled = { ...counted, active: false, disabledAtMs: nowMs };
    return { state: { delivery, subscription: disabled }, effects: [log, exhausted, { kind: 'cancel_pending' }, notice('disabled')] };
  }
  const warning =
    failureCount === failuresMax * 0.6 ? [notice('failing_60')] : failureCount === failuresMax * 0.8 ? [notice('failing_80')] : [];
  return { state: { delivery, subscription: counted }, effects: [log, exhausted, ...warning] };
}

function withDelivery(state: EngineState, changes: Partial<DeliveryState>): EngineState {
  return { ...state, delivery: { ...state.delivery, ...changes } };
}
