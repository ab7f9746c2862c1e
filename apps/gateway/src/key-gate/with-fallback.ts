/**
 * While Redis is down or hung (D14), no record is remembered: every request
 * checks its key in PostgreSQL (fails closed), and each process counts limits by
 * itself, with the key's own limit. A log line and counters report it.
 */
import type { Log, Metrics } from '@store/service';
import type { KeyRecord } from '../keys/key-record.ts';
import type { InProcessGate } from './in-process.ts';
import { type Admission, type KeyGate, recordKeptMs } from './key-gate.ts';

interface FallbackOptions {
  keyGate: KeyGate;
  /** Windows and completion marks of this process, used while the key gate fails. */
  local: InProcessGate;
  log: Log;
  /** Monotonic time; injected in tests. */
  monotonicMs?: () => number;
  /** Shared by the gates of a cluster's masters. */
  counts?: GateCounts;
}

/** For the metrics: calls that failed, answers given without Redis, and how often the breaker opened. */
export interface GateCounts {
  failures: number;
  fallbacks: number;
  opened: number;
}

const failuresMax = 5;
/** Sharing is to resume within 2 s of the return: a reconnection of half a second, and at most two probes. */
const halfOpenAfterMs = 500;
/** A record that should be dropped has expired in Redis after this, even if a slow reader stored it. */
const forgetPendingMs = 2 * recordKeptMs;

class Open extends Error {}

/** Redis answers, but a cluster is moving this key to another master: no reason to give up the other keys. */
export class SlotMoves extends Error {}

export class KeyGateWithFallback implements KeyGate {
  readonly counts: GateCounts;
  readonly #keyGate: KeyGate;
  readonly #local: InProcessGate;
  readonly #log: Log;
  readonly #monotonicMs: () => number;
  #failures = 0;
  /** Undefined while the breaker is closed. */
  #halfOpenAtMs: number | undefined;
  /** Records that could not be dropped from Redis, with the time at which they have expired anyway. */
  readonly #pendingForgets = new Map<string, number>();

  constructor(options: FallbackOptions) {
    this.counts = options.counts ?? { failures: 0, fallbacks: 0, opened: 0 };
    this.#keyGate = options.keyGate;
    this.#local = options.local;
    this.#log = options.log;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
  }

  get isOpen(): boolean {
    return this.#halfOpenAtMs !== undefined;
  }

  async admit(hash: string, mayRead?: boolean): Promise<Admission> {
    const answer = await this.#try(() => this.#keyGate.admit(hash, mayRead));
    if (answer) return this.#withLocalMark(hash, answer);
    return fellBack(this.#local.unknown(hash));
  }

  async remember(hash: string, record: KeyRecord, version: number): Promise<Admission> {
    // Where Redis answered `admit` too late, it has counted the request: it is not asked to count it twice.
    const wasTried = version === fellBackVersion && !record.revoked;
    const answer = wasTried ? undefined : await this.#try(() => this.#keyGate.remember(hash, record, version));
    if (answer) return this.#withLocalMark(hash, answer);
    return { ...fellBack(this.#local.count(hash)), revoked: record.revoked };
  }

  /** Never rejects: a finished answer must not fail because of its mark. */
  async complete(hash: string): Promise<void> {
    const completed = await this.#try(() => this.#keyGate.complete(hash).then(() => true));
    if (!completed) await this.#local.complete(hash);
  }

  /** What could not be dropped from Redis now is dropped before Redis is used again. */
  async forget(hashes: string[]): Promise<void> {
    const forgotten = await this.#try(() => this.#keyGate.forget(hashes).then(() => true));
    if (forgotten) return;
    const until = this.#monotonicMs() + forgetPendingMs;
    for (const hash of hashes) this.#pendingForgets.set(hash, until);
    this.#open();
  }

  /** Rejects while Redis is unreachable: another gateway that reaches it would go on admitting the key. */
  async revoke(hash: string): Promise<void> {
    await this.#keyGate.revoke(hash);
  }

  async unrevoke(hash: string): Promise<void> {
    await this.#keyGate.unrevoke(hash);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#keyGate.stop(), this.#local.stop()]);
  }

  /** A completion during an outage also counts after it: the mark could not be written to Redis. */
  #withLocalMark(hash: string, admission: Admission): Admission {
    if (admission.completedLately || admission.revoked || !this.#local.unknown(hash).completedLately) return admission;
    return { ...admission, completedLately: true };
  }

  async #try<T>(call: () => Promise<T>): Promise<T | undefined> {
    try {
      const probing = this.#pass();
      if (probing) await this.#forgetMissed();
      const answer = await call();
      this.#succeeded(probing);
      return answer;
    } catch (error) {
      this.counts.fallbacks += 1;
      if (!(error instanceof Open || error instanceof SlotMoves)) this.#failed(error);
      return undefined;
    }
  }

  /** Throws while the breaker is open; true for the one call that probes Redis. */
  #pass(): boolean {
    if (this.#halfOpenAtMs === undefined) return false;
    const now = this.#monotonicMs();
    if (now < this.#halfOpenAtMs) throw new Open();
    this.#halfOpenAtMs = now + halfOpenAfterMs;
    return true;
  }

  async #forgetMissed(): Promise<void> {
    const now = this.#monotonicMs();
    for (const [hash, until] of this.#pendingForgets) if (until <= now) this.#pendingForgets.delete(hash);
    const hashes = [...this.#pendingForgets.keys()];
    if (hashes.length > 0) await this.#keyGate.forget(hashes);
    for (const hash of hashes) this.#pendingForgets.delete(hash);
  }

  #succeeded(probing: boolean): void {
    this.#failures = 0;
    // A forget that failed during the probe keeps the breaker open until the next probe.
    if (!probing || this.#pendingForgets.size > 0) return;
    this.#halfOpenAtMs = undefined;
    this.#log.info('Redis answers again: limits are shared and keys are remembered');
  }

  #failed(error: unknown): void {
    this.counts.failures += 1;
    this.#failures += 1;
    if (this.#failures === 1) this.#log.warn({ err: error }, 'Redis did not answer; this request was served without it');
    if (this.#failures >= failuresMax) this.#open();
  }

  #open(): void {
    if (this.#halfOpenAtMs !== undefined) return;
    this.#halfOpenAtMs = this.#monotonicMs() + halfOpenAfterMs;
    this.counts.opened += 1;
    this.#log.warn('Redis is away: keys are checked in PostgreSQL and limits are kept by each process');
  }
}

/** The key's own limit applies during an outage, warm or cold, based on this process's count alone. */
function fellBack(admission: Admission): Admission {
  return { ...admission, record: undefined, version: fellBackVersion, completedLately: true };
}

/** No lease and no version has it, so nothing is stored under it. */
const fellBackVersion = -2;

export function countKeyGate(metrics: Metrics, counts: GateCounts): void {
  metrics.count('store_gate_failures_total', 'Calls to Redis that failed or were too late.', () => counts.failures);
  metrics.count(
    'store_gate_fallbacks_total',
    'Answers given without Redis, by PostgreSQL and limits of this process.',
    () => counts.fallbacks,
  );
  metrics.count('store_gate_opened_total', 'Times that Redis was given up for a second.', () => counts.opened);
}
