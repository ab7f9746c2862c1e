/** Waits for attempts that end one after another, so that they are recorded together. */

/** From one end to the next. */
const gatherMs = 3;
/** From the first one. */
const gatherMaxMs = 10;

export class EndGather {
  readonly #done: () => void;
  #timer: NodeJS.Timeout | undefined;
  #untilMs = 0;

  constructor(done: () => void) {
    this.#done = done;
  }

  /** An attempt has ended, and others may be about to. */
  note(): void {
    const nowMs = performance.now();
    if (this.#timer === undefined) this.#untilMs = nowMs + gatherMaxMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#done, Math.max(0, Math.min(gatherMs, this.#untilMs - nowMs)));
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
