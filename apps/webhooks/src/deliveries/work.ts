/** What a dispatcher has under way, and whether it has to look for more. It is only a memory: a process that dies leaves leases. */
import type { Claimed, Claims } from './claim.ts';
import { type Limit, limitsOf } from './post-limiter.ts';
import type { AttemptResult, Recorded } from './record.ts';

export class Work {
  readonly #inFlight = new Map<number, Claimed>();
  #results: AttemptResult[] = [];
  /** Subscriptions with more due, and what keeps it back: the end of an attempt frees it. */
  readonly #waiting = new Map<number, Limit>();
  /** Something may be due that no claim has looked for yet. */
  #mayBeDue = true;

  get mayBeDue(): boolean {
    return this.#mayBeDue;
  }

  /** Claimed deliveries whose result is not recorded yet. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  get leaseTokens(): string[] {
    return [...this.#inFlight.values()].map(({ leaseToken }) => leaseToken);
  }

  get hasResults(): boolean {
    return this.#results.length > 0;
  }

  /** Every attempt in flight has ended. */
  get hasAllResults(): boolean {
    return this.#results.length >= this.#inFlight.size;
  }

  /** Rows were added, time has passed, or a step failed. */
  noteDue(): void {
    this.#mayBeDue = true;
  }

  /** A claim begins: what is added while it runs is looked for by the next one. */
  noteLook(): void {
    this.#mayBeDue = false;
  }

  noteClaims({ claimed, again, left }: Claims): void {
    this.#mayBeDue ||= again;
    for (const [id, limit] of left) {
      if (limit) this.#waiting.set(id, limit);
      else this.#waiting.delete(id);
    }
    for (const one of claimed) this.#inFlight.set(one.attemptId, one);
  }

  /** An attempt has ended; without a result after a failure on our side, which leaves its lease to expire. */
  noteEnd({ attemptId }: Claimed, result: AttemptResult | undefined): void {
    if (result) this.#results.push(result);
    else this.#inFlight.delete(attemptId);
  }

  /** The results so far, which are then recorded or put back; `freed`: subscriptions with more due that one of them may have kept back. */
  takeResults(): { results: AttemptResult[]; freed: number[] } {
    const results = this.#results;
    this.#results = [];
    const limits = new Set(results.flatMap(({ claimed }) => limitsOf(claimed.place)));
    return { results, freed: [...this.#waiting].filter(([, limit]) => limits.has(limit)).map(([id]) => id) };
  }

  putBack(results: AttemptResult[]): void {
    this.#results = [...results, ...this.#results];
  }

  /** What was claimed with them is noted after this. */
  noteRecorded({ results, freed }: { results: AttemptResult[]; freed: number[] }, { due, refilled }: Recorded): void {
    this.#mayBeDue ||= due;
    for (const { claimed } of results) this.#inFlight.delete(claimed.attemptId);
    for (const id of freed) if (!refilled?.left.has(id) && this.#waiting.delete(id)) this.#mayBeDue = true;
  }
}
