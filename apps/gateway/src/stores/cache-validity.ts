/** Whether the key gate's records may be used: while notifications arrive (D188), and none from before Redis lost its data. */
import { recordKeptMs } from '../key-gate/key-gate.ts';

export class CacheValidity {
  readonly #monotonicMs: () => number;
  #believeFromMs: number | undefined;
  #mayBeStale: boolean;
  /** From this time on every remembered record is current; needed only while old records may remain. */
  readonly #checkedAtMs = new Map<string, number>();

  /** `mayBeStale`: the key gate may hold records from before this process listened, as Redis does. */
  constructor(mayBeStale: boolean, monotonicMs: () => number = () => performance.now()) {
    this.#mayBeStale = mayBeStale;
    this.#monotonicMs = monotonicMs;
  }

  /** Subscribed: records remembered before may be stale until they expire. */
  connected(): void {
    this.#believeFromMs = this.#monotonicMs() + (this.#mayBeStale ? recordKeptMs : 0);
    this.#mayBeStale = true;
  }

  lost(): void {
    this.#believeFromMs = undefined;
    this.#checkedAtMs.clear();
  }

  /** The key gate may have lost tombstones; its old records are not used until they have expired or were read anew. */
  memoryLost(): void {
    if (this.#believeFromMs === undefined) return;
    this.#believeFromMs = this.#monotonicMs() + recordKeptMs;
    this.#checkedAtMs.clear();
  }

  /** The time at which the key gate is called; passed to `believes` with the answer. */
  nowMs(): number {
    return this.#monotonicMs();
  }

  /** Whether the key gate's record of this key, read at that time, may be used. */
  believes(hash: string, askedAtMs: number): boolean {
    if (this.#believeFromMs === undefined) return false;
    if (this.#monotonicMs() < this.#believeFromMs) return askedAtMs >= (this.#checkedAtMs.get(hash) ?? Number.POSITIVE_INFINITY);
    if (this.#checkedAtMs.size > 0) this.#checkedAtMs.clear();
    return true;
  }

  /** The key gate's old record of this key is gone; changes of later ones are notified. */
  checked(hash: string): void {
    if (this.#believeFromMs === undefined || this.#monotonicMs() >= this.#believeFromMs) return;
    if (!this.#checkedAtMs.has(hash)) this.#checkedAtMs.set(hash, this.#monotonicMs());
  }

  /** Whether notifications arrive: without them nothing may be remembered. */
  get isListening(): boolean {
    return this.#believeFromMs !== undefined;
  }
}
