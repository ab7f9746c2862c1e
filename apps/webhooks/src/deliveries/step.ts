/**
 * The delivery engine: what one delivery and its subscription become, and what must happen with it,
 * in one transaction. Pure, so that every history can be tried; the caller locks both rows, stores
 * what comes back, and sends nothing before the commit.
 */
import { attemptsMax, isRetryable, isSuccess, retryWaitsMs } from './schedule.ts';
import {
  type AttemptOutcome,
  type DeliveryState,
  type EngineEffect,
  type EngineInput,
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

/** An input that does not fit the state (a repeat, or a worker that lost its lease) changes nothing. */
export function step(state: EngineState, input: EngineInput, nowMs: number, waitsMs: readonly number[] = retryWaitsMs): EngineStep {
  switch (input.kind) {
    case 'claimed':
      return claimed(state, nowMs);
    case 'ended':
      return state.delivery.state === 'leased' ? ended(state, input.outcome, nowMs, waitsMs) : unchanged(state);
    case 'lost':
      // Ours, so no attempt is spent: the same number is sent again, at once (decision D150).
      return state.delivery.state === 'leased' ? lost(state, nowMs) : unchanged(state);
  }
}

function claimed(state: EngineState, nowMs: number): EngineStep {
  const { delivery, subscription } = state;
  if (delivery.state !== 'pending' || delivery.dueAtMs > nowMs) return unchanged(state);
  // Decision D139: dropped at send time, and no failure of the receiver's.
  if (!isDeliverable(subscription, nowMs)) return { state: withDelivery(state, { state: 'skipped' }), effects: [] };
  return { state: withDelivery(state, { state: 'leased' }), effects: [{ kind: 'send', attempt: delivery.attempts + 1 }] };
}

function lost(state: EngineState, nowMs: number): EngineStep {
  // A delivery of a disabled subscription does not come back when that is enabled again (decision D152).
  const next: Partial<DeliveryState> = isDeliverable(state.subscription, nowMs)
    ? { state: 'pending', dueAtMs: nowMs }
    : { state: 'skipped' };
  return { state: withDelivery(state, next), effects: [] };
}

function ended(state: EngineState, outcome: AttemptOutcome, nowMs: number, waitsMs: readonly number[]): EngineStep {
  const { delivery, subscription } = state;
  const attempts = delivery.attempts + 1;
  const success = isSuccess(outcome);
  const log: EngineEffect = { kind: 'log', attempt: attempts, outcome, success };
  if (success) {
    const next = { delivery: { ...delivery, state: 'succeeded' as const, attempts }, subscription: { ...subscription, failureCount: 0 } };
    return { state: next, effects: [log] };
  }
  if (attempts < attemptsMax && isRetryable(outcome)) {
    const next: Partial<DeliveryState> = isDeliverable(subscription, nowMs)
      ? { state: 'pending', attempts, dueAtMs: nowMs + waitsMs[attempts - 1]! }
      : { state: 'skipped', attempts };
    return { state: withDelivery(state, next), effects: [log] };
  }
  const failed = withDelivery(state, { state: 'failed', attempts });
  // Decision D207: no failure of the receiver's, so it does not count.
  if (outcome.kind === 'failed' && outcome.reason === secretUnreadable)
    return { state: failed, effects: [log, { kind: 'notice', notice: secretUnreadable, failureCount: subscription.failureCount }] };
  return finallyFailed(failed, log, nowMs);
}

/** Spec, Delivery 5: failure_count rises by one only here. */
function finallyFailed(state: EngineState, log: EngineEffect, nowMs: number): EngineStep {
  const { subscription, delivery } = state;
  // Decision D140: what a person asked for again is not counted.
  const failureCount = subscription.failureCount + (delivery.manual ? 0 : 1);
  const exhausted: EngineEffect = { kind: 'notice', notice: 'delivery_exhausted', failureCount };
  if (delivery.manual) return { state, effects: [log, exhausted] };
  const counted: SubscriptionState = { ...subscription, failureCount };
  const notice = (name: 'failing_60' | 'failing_80' | 'disabled'): EngineEffect => ({ kind: 'notice', notice: name, failureCount });
  // Compared with >=: re-enabling by PATCH keeps the count at 5 or more (decision D131).
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

function unchanged(state: EngineState): EngineStep {
  return { state, effects: [] };
}
