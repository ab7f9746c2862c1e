/** Types shared by the address guard and the attempt. */
import type { BlockList } from 'node:net';
import type { KeptSockets } from './kept-sockets.ts';

/** Why there was no response. `blocked` and `not_https` are final, the others are retried (Delivery 2). */
export const failureReasons = ['timeout', 'refused', 'reset', 'dns', 'tls', 'blocked', 'not_https'] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The receiver's side of a POST; a failure on our side is no outcome and spends no attempt. */
export type Outcome =
  | { kind: 'response'; status: number; durationMs: number }
  | { kind: 'failed'; reason: FailureReason; durationMs: number };

/** The resolver of node:dns/promises (c-ares); injected in tests. */
export interface HostResolver {
  resolve4(host: string): Promise<string[]>;
  resolve6(host: string): Promise<string[]>;
}

export interface AttemptOptions {
  /** Ranges that are allowed although they are private; tests only (D153). */
  allowCidrs: BlockList;
  /** The operator's own public ranges: denied even if otherwise allowed. */
  denyCidrs: BlockList;
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

export interface AttemptRequest {
  url: string;
  body: Uint8Array;
  headers: Record<string, string>;
  options: AttemptOptions;
  /** Connections of earlier attempts; absent: a new one, which is closed after the answer. */
  kept?: KeptSockets;
}
