/**
 * Stops calls to a service that hangs, so that its callers do not hang with it. A service whose process is gone refuses
 * the connection, and gRPC then fails every call at once. A service that hangs keeps the connection, and every call waits
 * for its deadline. After a few such calls in a row without an answer, a separate probe asks whether the service answers at all: one
 * store's slow requests stop nobody else's. Calls are refused at once until it does; no client's request is used as a probe. Calls that the service can answer in time are
 * admitted store by store in turn (D256).
 */
import type { Problem } from '@store/problem';
import { type Holder, Shares } from '@store/shares';
import { takeTurn } from '@store/shares/asker';
import { CallLimit } from './call-limit.ts';
import { serviceDown } from './problem-metadata.ts';

interface BreakerOptions {
  /** Whether the service answers at all; resolves within its own short deadline. */
  probe(): Promise<boolean>;
  limit?: CallLimit;
  probeEveryMs?: number;
}

/** How a call ended, as a sign of the service's health. */
export type Outcome = 'answered' | 'late' | 'lost';

/** How long a call took, and how long its caller would have waited. */
interface Duration {
  tookMs: number;
  givenMs: number;
}

const latesMax = 5;
/** A call with less time than this shows nothing about the service's health. */
export const lateFromMs = 1_000;
const probeEveryDefaultMs = 250;
/** Of the calls that may be under way: as many more may wait for their turn. */
const waitingShare = 1 / 4;

/** Ends an admitted call, once. `duration`: of a call with one answer; a stream has none, and says nothing about how quick the service is. */
export type Leave = (outcome: Outcome, duration?: Duration) => void;

export class Breaker {
  readonly #probe: () => Promise<boolean>;
  readonly #limit: CallLimit;
  readonly #probeEveryMs: number;
  readonly #shares: Shares;
  #lates = 0;
  #probing: NodeJS.Timeout | undefined;
  #open = false;
  /** The probe after several calls without an answer; calls wait for its result. */
  #asking: Promise<void> | undefined;
  #isStopped = false;
  /** For the metrics, since the start: how calls ended, those that were not admitted, and how often it opened. */
  readonly counts = { answered: 0, late: 0, lost: 0, refused: 0, opened: 0 };

  constructor(options: BreakerOptions) {
    this.#probe = options.probe;
    this.#limit = options.limit ?? new CallLimit();
    this.#shares = new Shares(1);
    this.#followLimit();
    this.#probeEveryMs = options.probeEveryMs ?? probeEveryDefaultMs;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  get underWay(): number {
    return this.#shares.inUse;
  }

  get callsMax(): number {
    return this.#limit.value;
  }

  /** Admits a call, which must leave, or rejects: beyond the limit few wait, and one of the store that has most is refused. */
  async enter(untilMs = 0): Promise<Leave> {
    // Admitted meanwhile, it would wait for its whole deadline where the service hangs. A service that answers does so at once.
    if (this.#asking) await this.#asking;
    if (this.#open) throw this.#refusal('the service does not answer at present');
    let holder: Holder;
    try {
      holder = await takeTurn(this.#shares, untilMs);
    } catch (error) {
      throw this.#refusal(`${this.callsMax} calls to the service are under way`, error);
    }
    let isOver = false;
    const leave: Leave = (outcome, duration) => {
      if (!isOver) this.#leave(holder, outcome, duration);
      isOver = true;
    };
    if (!this.#open) return leave;
    this.#shares.give(holder);
    throw this.#refusal('the service does not answer at present');
  }

  #leave(holder: Holder, outcome: Outcome, duration: Duration | undefined): void {
    if (duration && outcome !== 'lost' && duration.givenMs >= lateFromMs) {
      this.#limit.ended({ ...duration, underWay: this.underWay, nowMs: performance.now() });
      this.#followLimit();
    }
    this.#shares.give(holder);
    this.counts[outcome] += 1;
    if (outcome === 'answered') this.#lates = 0;
    if (outcome === 'late' && ++this.#lates >= latesMax && !this.#open) this.#asking ??= this.#probeNow();
  }

  #followLimit(): void {
    const { callsMax } = this;
    if (callsMax !== this.#shares.size) this.#shares.resize(callsMax, Math.floor(callsMax * waitingShare));
  }

  stop(): void {
    clearTimeout(this.#probing);
    this.#isStopped = true;
    this.#open = false;
  }

  #probeLater(): void {
    this.#probing = setTimeout(() => void this.#probeNow(), this.#probeEveryMs);
    this.#probing.unref();
  }

  async #probeNow(): Promise<void> {
    const answers = await this.#probe();
    this.#asking = undefined;
    if (this.#isStopped) return;
    if (answers) {
      this.#open = false;
      this.#lates = 0;
      return;
    }
    // A call that was answered meanwhile says more.
    if (!this.#open && this.#lates < latesMax) return;
    if (!this.#open) this.counts.opened += 1;
    this.#open = true;
    this.#probeLater();
  }

  #refusal(why: string, cause?: unknown): Problem {
    this.counts.refused += 1;
    return serviceDown(new Error(why, { cause }));
  }
}
