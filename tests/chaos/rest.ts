/** Whether a run is still becoming idle: a slow machine takes long, but the remaining work decreases. */

/** What is not idle yet. */
export interface Motion {
  /** Rises along the path of an event: outboxes, Kafka's groups, receivers. */
  stage: number;
  /** Rows, messages or deliveries. */
  left: number;
  /** For a person. */
  what: string[];
}

export class Rest {
  readonly #withinMs: number;
  #least: Pick<Motion, 'stage' | 'left'> = { stage: -1, left: 0 };
  #progressMs: number;

  /** `withinMs`: the longest time without a decrease. */
  constructor(withinMs: number, nowMs: number) {
    this.#withinMs = withinMs;
    this.#progressMs = nowMs;
  }

  /** Whether there was no progress for too long. Returning to an earlier stage is no progress. */
  isStuck({ stage, left }: Pick<Motion, 'stage' | 'left'>, nowMs: number): boolean {
    if (stage > this.#least.stage || (stage === this.#least.stage && left < this.#least.left)) {
      this.#least = { stage, left };
      this.#progressMs = nowMs;
    }
    return nowMs - this.#progressMs > this.#withinMs;
  }
}
