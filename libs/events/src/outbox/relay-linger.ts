/**
 * How long a relay gathers commits. The first change after a quiet time is sent at once; in a busy time more commits share a batch's
 * costs.
 */

interface Linger {
  /** Least time between the starts of two batches. */
  lingerMs: number;
  /** The same in a busy time; absent: `lingerMs`. */
  busyLingerMs?: number | undefined;
}

/** Rows per millisecond from which on a time is busy: four commits share what one would have alone. */
const busyRate = 0.2;
/** Fewer rows say nothing about a rate. */
const busyRowsMin = 3;

export class RelayLinger {
  readonly #options: Linger;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #sinceLastMs = Number.POSITIVE_INFINITY;
  #isBusy = false;

  constructor(options: Linger) {
    this.#options = options;
  }

  started(nowMs: number): void {
    this.#sinceLastMs = nowMs - this.#startedAtMs;
    this.#startedAtMs = nowMs;
  }

  /** What was started has published so many rows, those that were committed since the start before it. */
  published(rows: number): void {
    this.#isBusy = rows >= busyRowsMin && rows / this.#sinceLastMs >= busyRate;
  }

  /** Until what is committed meanwhile is gathered. */
  leftMs(nowMs: number): number {
    const { lingerMs, busyLingerMs = lingerMs } = this.#options;
    return Math.max(0, this.#startedAtMs + (this.#isBusy ? busyLingerMs : lingerMs) - nowMs);
  }
}
