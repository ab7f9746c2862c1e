/** Whether what the gate remembers may be believed: only while notices of changes are heard (decision D188). */
import { recordKeptMs } from '../gate/gate.ts';

export class Hearing {
  readonly #monotonicMs: () => number;
  #believeFromMs: number | undefined;
  #mayBeStale: boolean;

  /** `mayBeStale`: the gate may hold records from before this process listened, as Redis does. */
  constructor(mayBeStale: boolean, monotonicMs: () => number = () => performance.now()) {
    this.#mayBeStale = mayBeStale;
    this.#monotonicMs = monotonicMs;
  }

  /** Notices arrive from now on; what was remembered while nobody listened ends by itself within its time. */
  connected(): void {
    this.#believeFromMs = this.#monotonicMs() + (this.#mayBeStale ? recordKeptMs : 0);
    this.#mayBeStale = true;
  }

  lost(): void {
    this.#believeFromMs = undefined;
  }

  get believes(): boolean {
    return this.#believeFromMs !== undefined && this.#monotonicMs() >= this.#believeFromMs;
  }
}
