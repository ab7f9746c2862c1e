/** Types shared by the parts of a delivery: the address guard, the attempt, the signature, the engine. */
import type { Cidr } from './classify-address.ts';
import type { KeptSockets } from './kept-sockets.ts';

/** Why there was no response. `blocked` and `not_https` are final, the others are retried (Delivery 2). */
export type FailureReason = 'timeout' | 'refused' | 'reset' | 'dns' | 'tls' | 'blocked' | 'not_https';

/** Nothing was sent: no key of ours opens the subscription's secret (D207). */
export const secretUnreadable = 'secret_unreadable';

/** The receiver's side of a POST; a failure on our side is no outcome and spends no attempt. */
export type Outcome =
  | { kind: 'response'; status: number; durationMs: number }
  | { kind: 'failed'; reason: FailureReason; durationMs: number };

/** How an attempt ended, including one that was never sent. */
export type AttemptOutcome = Outcome | { kind: 'failed'; reason: typeof secretUnreadable; durationMs: number };

/** The resolver of node:dns/promises (c-ares); injected in tests. */
export interface HostResolver {
  resolve4(host: string): Promise<string[]>;
  resolve6(host: string): Promise<string[]>;
}

export interface AttemptOptions {
  /** Ranges that are allowed although they are private; tests only (D153). */
  allowCidrs: readonly Cidr[];
  /** The operator's own public ranges: denied even if otherwise allowed. */
  denyCidrs: readonly Cidr[];
  /** A certificate authority that is trusted instead of the public ones; tests only. */
  caPem: string | undefined;
  resolver: HostResolver;
  /** DNS, TCP and TLS together (D152). */
  connectTimeoutMs: number;
  /** From the connection to the end of the response's headers. */
  responseTimeoutMs: number;
  /** Ports that a URL may name (D146). */
  ports: { always: readonly number[]; from: number };
}

/** checkUrl(url, options): reason completes the sentence `Url …`, and never names an address. */
export type UrlCheck = { ok: true } | { ok: false; reason: string };

/** attempt(request): never rejects because of the receiver. */
export interface AttemptRequest {
  url: string;
  body: Uint8Array;
  headers: Record<string, string>;
  options: AttemptOptions;
  /** Connections of earlier attempts; absent: a new one, which is closed after the answer. */
  kept?: KeptSockets;
}

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
