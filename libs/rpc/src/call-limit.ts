/**
 * How many calls to a service may be under way at once. Beyond what it answers in time, calls only wait for each other: all of them are
 * late, and the work for them is lost. When an answer takes more than half of the time that its caller waits, the limit falls to as many
 * as would be answered in that half (Little's law). While answers are quick and calls reach it, it rises by a tenth per round of calls.
 */

/** Of the time that a caller waits. */
const slowShare = 0.5;
const quickShare = 0.25;

export class CallLimit {
  readonly #most: number;
  readonly #least: number;
  #limit: number;
  #cutAtMs = Number.NEGATIVE_INFINITY;

  /** `most`: each call holds a socket and a buffer. `least`: so many are no load, however long each of them takes. */
  constructor({ most = 1_000, least = 100 }: { most?: number; least?: number } = {}) {
    this.#most = most;
    this.#least = Math.min(least, most);
    this.#limit = most;
  }

  get value(): number {
    return Math.floor(this.#limit);
  }

  /** A call that began with `givenMs` until its deadline was answered, or not, after `tookMs`; `underWay` counts it and those beside it. */
  ended({ tookMs, givenMs, underWay, nowMs }: { tookMs: number; givenMs: number; underWay: number; nowMs: number }): void {
    const share = tookMs / givenMs;
    if (share > slowShare) {
      // A call that was admitted before the last fall says nothing about the limit since.
      if (nowMs - tookMs < this.#cutAtMs) return;
      this.#cutAtMs = nowMs;
      this.#limit = Math.max(this.#least, (Math.min(this.#limit, underWay) * slowShare) / Math.min(share, 1));
    } else if (share < quickShare && 2 * underWay > this.#limit) {
      this.#limit = Math.min(this.#most, this.#limit + 0.1);
    }
  }
}
