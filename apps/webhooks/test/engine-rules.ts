/**
 * What the simulation of the delivery engine keeps and checks: its operations, its own records, and the specification's rules,
 * implemented without the engine's code.
 */
import type { DeliveryState, SubscriptionState } from '../src/deliveries/attempt-ended.ts';
import type { Outcome } from '../src/receivers/types.ts';

export type SubscriptionOp = { kind: 'enable' | 'disable' | 'reset' | 'revoke' | 'expire' | 'delete' };
/** `pick` chooses among the existing ones. */
export type WorkerOp =
  | { kind: 'claim' | 'claim_any' | 'send' | 'end' | 'repeat_end' | 'lose'; pick: number }
  | { kind: 'answer'; pick: number; outcome: Outcome };
export type Op = { kind: 'event' | 'replay' | 'next_due' | 'just_before_due' } | { kind: 'clock'; ms: number } | SubscriptionOp | WorkerOp;

export interface Delivery {
  state: DeliveryState;
  lease: number;
  /** Own records: what happened to this delivery. */
  manual: boolean;
  posts: number;
  losses: number;
  counted: Outcome[];
  /** By the specification: the earliest time of the next POST. */
  notBeforeMs: number;
  /** It was pending when the subscription was disabled or deleted: it must never be sent again. */
  cancelled: boolean;
}

/** The memory of one worker. */
export interface Held {
  delivery: Delivery;
  lease: number;
  attempt: number;
  outcome: Outcome | undefined;
  sent: boolean;
}

export const newSubscription: SubscriptionState = {
  active: true,
  failureCount: 0,
  replayFailures: 0,
  disabledAtMs: null,
  deleted: false,
  keyRevokedAtMs: null,
  keyExpiresAtMs: null,
};

export const waits = [60_000, 300_000, 1_800_000, 7_200_000];
export const failuresAllowed = 5;

export const isOpen = ({ state }: DeliveryState) => state === 'pending' || state === 'leased';
export const succeeded = (outcome: Outcome) => outcome.kind === 'response' && Math.floor(outcome.status / 100) === 2;
/** Spec, Delivery 2, implemented separately. */
export const retried = (outcome: Outcome) =>
  outcome.kind === 'response'
    ? outcome.status === 429 || Math.floor(outcome.status / 100) === 5
    : ['timeout', 'refused', 'reset', 'dns', 'tls'].includes(outcome.reason);

export class BrokenRule extends Error {}

export function rule(holds: boolean, text: string): asserts holds {
  if (!holds) throw new BrokenRule(text);
}

/** Chooses one of the existing ones; nothing when there is none. */
export function pick<T>(list: T[], n: number): T | undefined {
  return list.length === 0 ? undefined : list[n % list.length];
}

/** As the verbs change it. A change of the url is not simulated: it is read when an attempt starts (D152). */
export function changedBy(kind: SubscriptionOp['kind'], before: SubscriptionState, nowMs: number): SubscriptionState {
  const enabled = { active: true, disabledAtMs: null };
  const changes: Record<typeof kind, Partial<SubscriptionState>> = {
    // PATCH active true: the count stays (D131).
    enable: enabled,
    disable: { active: false },
    reset: { ...enabled, failureCount: 0, replayFailures: 0 },
    revoke: { keyRevokedAtMs: before.keyRevokedAtMs ?? nowMs },
    expire: { keyExpiresAtMs: before.keyExpiresAtMs ?? nowMs + 60_000 },
    delete: { deleted: true },
  };
  return { ...before, ...changes[kind] };
}
