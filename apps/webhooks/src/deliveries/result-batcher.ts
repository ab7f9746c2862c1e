/** Wakes the dispatcher at once, or when attempts that end one after another have ended, to record them together. */
import { nextResultMs, resultsMaxMs } from './timing.ts';

export class ResultBatcher {
  #isAwake = false;
  #wake: (() => void) | undefined;
  #batch: { timer: NodeJS.Timeout; untilMs: number } | undefined;

  /** Ends the pause, or prevents the next one. */
  wake(): void {
    clearTimeout(this.#batch?.timer);
    this.#batch = undefined;
    this.#isAwake = true;
    this.#wake?.();
  }

  /** A result has come, and others may follow soon. */
  wakeAfterBatch(): void {
    const nowMs = performance.now();
    const untilMs = this.#batch?.untilMs ?? nowMs + resultsMaxMs;
    clearTimeout(this.#batch?.timer);
    const timer = setTimeout(() => this.wake(), Math.max(0, Math.min(nextResultMs, untilMs - nowMs)));
    this.#batch = { timer, untilMs };
  }

  /** A turn begins: only wakes from here on prevent the pause after it. */
  beginTurn(): void {
    this.#isAwake = false;
  }

  /** Until it is woken, or for this long. */
  async pause(ms: number): Promise<void> {
    if (this.#isAwake) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
    this.#wake = undefined;
  }
}
