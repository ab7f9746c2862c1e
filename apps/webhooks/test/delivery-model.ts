/**
 * The delivery engine as a model: the effect of a claim, a result and a lost lease on one delivery and its subscription.
 * Results use production's own function; claims and lost leases are SQL there, which is tested against this model.
 */

import { attemptEnded, type DeliveryState, type EngineState, type EngineStep, isDeliverable } from '../src/deliveries/attempt-ended.ts';
import { type AttemptOutcome, retryWaitsMs } from '../src/deliveries/schedule.ts';

export type ModelInput =
  /** A worker has claimed the due delivery. */
  | { kind: 'claimed' }
  /** Its attempt has ended. */
  | { kind: 'ended'; outcome: AttemptOutcome }
  /** Its worker died or lost its connection: the attempt does not count and is due at once. */
  | { kind: 'lost' };

/** An input that does not fit the state (a repeat, or a worker that lost its lease) changes nothing. */
export function modelStep(state: EngineState, input: ModelInput, nowMs: number, waitsMs: readonly number[] = retryWaitsMs): EngineStep {
  switch (input.kind) {
    case 'claimed':
      return claimed(state, nowMs);
    case 'ended':
      return state.delivery.state === 'leased' ? attemptEnded(state, input.outcome, nowMs, waitsMs) : unchanged(state);
    case 'lost':
      // No attempt is spent: the same number is sent again, at once (D150).
      return state.delivery.state === 'leased' ? lost(state, nowMs) : unchanged(state);
  }
}

function claimed(state: EngineState, nowMs: number): EngineStep {
  const { delivery, subscription } = state;
  if (delivery.state !== 'pending' || delivery.dueAtMs > nowMs) return unchanged(state);
  // D139: dropped at send time, and not a failure of the receiver.
  if (!isDeliverable(subscription, nowMs)) return { state: withDelivery(state, { state: 'skipped' }), effects: [] };
  return { state: withDelivery(state, { state: 'leased' }), effects: [{ kind: 'send', attempt: delivery.attempts + 1 }] };
}

function lost(state: EngineState, nowMs: number): EngineStep {
  // A delivery of a disabled subscription is not resumed when that is enabled again (D152).
  const next: Partial<DeliveryState> = isDeliverable(state.subscription, nowMs)
    ? { state: 'pending', dueAtMs: nowMs }
    : { state: 'skipped' };
  return { state: withDelivery(state, next), effects: [] };
}

function withDelivery(state: EngineState, changes: Partial<DeliveryState>): EngineState {
  return { ...state, delivery: { ...state.delivery, ...changes } };
}

function unchanged(state: EngineState): EngineStep {
  return { state, effects: [] };
}
