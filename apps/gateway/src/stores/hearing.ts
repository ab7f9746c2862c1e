/** Whether what the gate remembers may be believed: only while notices of changes are heard (decision D188). */
import { recordKeptMs } from '../gate/gate.ts';

export class Hearing {
  readonly #monotonicMs: () => number;
  #believeFromMs: number | undefined;
  #mayBeStale: boolean;
  /** Keys whose record was read anew since notices are heard; needed only while old records may be left. */
  readonly #checked = new Set<string>();

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
    this.#checked.clear();
  }

  /** Whether a remembered record of this key may be used. */
  believes(hash: string): boolean {
    if (this.#believeFromMs === undefined) return false;
    if (this.#monotonicMs() < this.#believeFromMs) return this.#checked.has(hash);
    if (this.#checked.size > 0) this.#checked.clear();
    return true;
  }

  /** The gate holds no record of this key from before: what it remembers from here on is heard of. */
  checked(hash: string): void {
    if (this.#believeFromMs !== undefined && this.#monotonicMs() < this.#believeFromMs) this.#checked.add(hash);
  }

  /** Whether notices are heard at all: without them nothing may be remembered. */
  get hears(): boolean {
    return this.#believeFromMs !== undefined;
  }
}
