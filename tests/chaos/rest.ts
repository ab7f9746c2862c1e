/** Whether a run is still coming to rest: a slow machine takes long, but what is left gets less. */

/** What has not come to rest yet. */
export interface Motion {
  /** Rises on the way of an event: outboxes, Kafka's groups, receivers. */
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

  /** `withinMs`: how long nothing may get less. */
  constructor(withinMs: number, nowMs: number) {
    this.#withinMs = withinMs;
    this.#progressMs = nowMs;
  }

  /** Whether it has been no nearer to rest for too long. Going back to an earlier stage is no progress. */
  isStuck({ stage, left }: Pick<Motion, 'stage' | 'left'>, nowMs: number): boolean {
    if (stage > this.#least.stage || (stage === this.#least.stage && left < this.#least.left)) {
      this.#least = { stage, left };
      this.#progressMs = nowMs;
    }
    return nowMs - this.#progressMs > this.#withinMs;
  }
}
