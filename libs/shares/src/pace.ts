/**
 * Long work of one store, slice by slice. While other stores call this process, slices of a store run one at a time, and the next begins
 * three times as long after the last as that took: long work of a store takes at most a quarter of a processor, here and in
 * PostgreSQL, from others (D256). A slice takes no lock, as one that waits would delay the store's slices behind it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Holder } from './shares.ts';

/** So that a slice and its pause are four times the slice. */
const pausePerSlice = 3;
/** After a slice that took long, as PostgreSQL was busy with others. */
const pauseMaxMs = 500;
/** Others have called within this time. */
const recentMs = 1_000;

interface PaceClock {
  nowMs(): number;
  wait(ms: number): Promise<unknown>;
}

const processClock: PaceClock = { nowMs: () => performance.now(), wait };

export class Pace {
  readonly #clock: PaceClock;
  /** The store that called last, and the one that called last of the others. */
  #last: { holder: Holder; atMs: number } | undefined;
  #lastOther: { atMs: number } | undefined;
  /** By store, the end of the pause after its last slice. */
  readonly #lines = new Map<Holder, Promise<void>>();

  constructor(clock: PaceClock = processClock) {
    this.#clock = clock;
  }

  /** A call of this store has begun. */
  called(holder: Holder): void {
    const atMs = this.#clock.nowMs();
    if (this.#last?.holder !== holder) this.#lastOther = this.#last;
    this.#last = { holder, atMs };
  }

  /** Runs one slice, of a few milliseconds, when it is the holder's turn. `costs`: its work and what follows from it, by the time that it takes. */
  slice<T>(holder: Holder, work: () => T | Promise<T>, costs = 1): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const line = (this.#lines.get(holder) ?? Promise.resolve()).then(async () => {
      const fromMs = this.#clock.nowMs();
      await (async () => work())().then(resolve, reject);
      const pauseMs = this.pauseAfter(holder, costs * (this.#clock.nowMs() - fromMs));
      if (pauseMs > 0) await this.#clock.wait(pauseMs);
      if (this.#lines.get(holder) === line) this.#lines.delete(holder);
    });
    if (this.othersCall(holder)) this.#lines.set(holder, line);
    return promise;
  }

  /** Milliseconds from work that took so long to the holder's next. */
  pauseAfter(holder: Holder, tookMs: number, maxMs = pauseMaxMs): number {
    return this.othersCall(holder) ? Math.min(pausePerSlice * tookMs, maxMs) : 0;
  }

  /** Whether another than this holder has called lately. */
  othersCall(holder: Holder): boolean {
    const other = this.#last?.holder === holder ? this.#lastOther : this.#last;
    return other !== undefined && this.#clock.nowMs() - other.atMs < recentMs;
  }
}
