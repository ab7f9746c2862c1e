/**
 * Decides what the end of an attempt changes in its delivery and subscription, and what else happens in that transaction.
 * A pure function, so that random histories can be tested; `record` locks both rows and stores the result.
 */
import { attemptsMax, isRetryable, isSuccess, retryWaitsMs } from './schedule.ts';
import {
  type AttemptOutcome,
  type DeliveryState,
  type EngineEffect,
  type EngineState,
  type EngineStep,
  type SubscriptionState,
  secretUnreadable,
} from './types.ts';

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
