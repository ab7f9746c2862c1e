/**
 * Stops calls to a service that hangs, so that its callers do not hang with it. A service whose process is gone refuses
 * the connection, and gRPC then fails every call at once. A service that hangs keeps the connection, and every call waits
 * for its deadline. After a few such calls in a row without an answer, calls are refused at once while a separate probe
 * checks whether the service answers again; no client's request is used as a probe.
 */
import type { Problem } from '@store/problem';
import { CallLimit } from './call-limit.ts';
import { serviceDown } from './problem-metadata.ts';

export interface BreakerOptions {
  /** Whether the service answers at all; resolves within its own short deadline. */
  probe(): Promise<boolean>;
  /** Calls that may be under way. */
  limit?: CallLimit;
  probeEveryMs?: number;
}

/** How a call ended, as a sign of the service's health. */
export type Outcome = 'answered' | 'late' | 'lost';

/** How long a call took, and how long its caller would have waited. */
export interface Duration {
  tookMs: number;
  givenMs: number;
}

const latesMax = 5;
/** A call with less time than this shows nothing about the service's health. */
export const lateFromMs = 1_000;
const probeEveryDefaultMs = 250;

export class Breaker {
  readonly #probe: () => Promise<boolean>;
  readonly #limit: CallLimit;
  readonly #probeEveryMs: number;
  #underWay = 0;
  #lates = 0;
  #probing: NodeJS.Timeout | undefined;
  #open = false;
  /** For the metrics, since the start: how calls ended, those that were not admitted, and how often it opened. */
  readonly counts = { answered: 0, late: 0, lost: 0, refused: 0, opened: 0 };

  constructor(options: BreakerOptions) {
    this.#probe = options.probe;
    this.#limit = options.limit ?? new CallLimit();
    this.#probeEveryMs = options.probeEveryMs ?? probeEveryDefaultMs;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** Calls that may be under way at present. */
  get callsMax(): number {
    return this.#limit.value;
  }

  /** Admits a call, or throws the Problem for the client. Every admitted call must `leave`. */
  enter(): void {
    if (this.#open) throw this.#refusal('the service does not answer at present');
    if (this.#underWay >= this.callsMax) throw this.#refusal(`${this.callsMax} calls to the service are under way`);
    this.#underWay += 1;
  }

  /** `duration`: of a call with one answer; a stream has none, and says nothing about how quick the service is. */
  leave(outcome: Outcome, duration?: Duration): void {
    if (duration && outcome !== 'lost' && duration.givenMs >= lateFromMs)
      this.#limit.ended({ ...duration, underWay: this.#underWay, nowMs: performance.now() });
    this.#underWay -= 1;
    this.counts[outcome] += 1;
    if (outcome === 'answered') this.#lates = 0;
    if (outcome === 'late' && ++this.#lates >= latesMax && !this.#open) {
      this.#open = true;
      this.counts.opened += 1;
      this.#probeLater();
    }
  }

  stop(): void {
    clearTimeout(this.#probing);
    this.#open = false;
  }

  #probeLater(): void {
    this.#probing = setTimeout(() => void this.#probeNow(), this.#probeEveryMs);
    this.#probing.unref();
  }

  async #probeNow(): Promise<void> {
    const answers = await this.#probe();
    if (!this.#open) return;
    if (!answers) return this.#probeLater();
    this.#open = false;
    this.#lates = 0;
  }

  #refusal(why: string): Problem {
    this.counts.refused += 1;
    return serviceDown(new Error(why));
  }
}
