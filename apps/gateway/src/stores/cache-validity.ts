/**
 * Whether what the key gate remembers may be believed: only while notices of changes are heard (D188), and nothing
 * from before Redis lost its memory, which may lack tombstones and hold records that were dropped.
 */
import { recordKeptMs } from '../key-gate/key-gate.ts';

export class CacheValidity {
  readonly #monotonicMs: () => number;
  #believeFromMs: number | undefined;
  #mayBeStale: boolean;
  /** Since when no record of a key is from before; needed only while old records may be left. */
  readonly #checkedAtMs = new Map<string, number>();

  /** `mayBeStale`: the key gate may hold records from before this process listened, as Redis does. */
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
    this.#checkedAtMs.clear();
  }

  /** The key gate may have lost tombstones; records that it has kept end by themselves within their time. */
  memoryLost(): void {
    if (this.#believeFromMs === undefined) return;
    this.#believeFromMs = this.#monotonicMs() + recordKeptMs;
    this.#checkedAtMs.clear();
  }

  /** The moment at which the key gate is asked; passed to `believes` with the answer. */
  nowMs(): number {
    return this.#monotonicMs();
  }

  /** Whether the record that the key gate gave for this key, asked at that moment, may be used. */
  believes(hash: string, askedAtMs: number): boolean {
    if (this.#believeFromMs === undefined) return false;
    if (this.#monotonicMs() < this.#believeFromMs) return askedAtMs >= (this.#checkedAtMs.get(hash) ?? Number.POSITIVE_INFINITY);
    if (this.#checkedAtMs.size > 0) this.#checkedAtMs.clear();
    return true;
  }

  /** The key gate holds no record of this key from before: what it remembers from here on is heard of. */
  checked(hash: string): void {
    if (this.#believeFromMs === undefined || this.#monotonicMs() >= this.#believeFromMs) return;
    if (!this.#checkedAtMs.has(hash)) this.#checkedAtMs.set(hash, this.#monotonicMs());
  }

  /** Whether notices are heard at all: without them nothing may be remembered. */
  get hears(): boolean {
    return this.#believeFromMs !== undefined;
  }
}
