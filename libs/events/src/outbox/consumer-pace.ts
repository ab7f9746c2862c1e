/**
 * Holds a backlog back in the outbox, where stores take turns, while consumers are far behind: Kafka keeps the order in which messages
 * came (D258).
 */
import { waitOrAbort } from '@store/db';

interface ConsumerPaceOptions {
  /** Messages of the topic that the slowest group has not handled. */
  behind(): Promise<number>;
  log: { warn(fields: object, message: string): void };
  /** More wait in the outbox. A group commits its offsets twice a second, so a quick one seems to be behind by half a second's messages. */
  behindMax?: number;
  /** Monotonic milliseconds, and the waits between two looks; injected in tests. */
  now?: () => number;
  wait?: typeof waitOrAbort;
}

const behindMaxDefault = 5_000;
const lookEveryMs = 100;
/** A group that makes no progress for so long is stopped, or cannot handle what it has: the others go on without it. */
const stuckAfterMs = 3_000;
/** Then it is looked at again. */
const ignoredForMs = 30_000;

export class ConsumerPace {
  readonly #options: ConsumerPaceOptions;
  readonly #now: () => number;
  #nextLookMs = Number.NEGATIVE_INFINITY;

  constructor(options: ConsumerPaceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Resolves when more may be published, or at once when it is aborted. */
  async waitForConsumers(signal: AbortSignal): Promise<void> {
    if (this.#now() < this.#nextLookMs) return;
    const { behindMax = behindMaxDefault, wait = waitOrAbort } = this.#options;
    let [least, leastAtMs] = [Number.POSITIVE_INFINITY, this.#now()];
    while (!signal.aborted) {
      const behind = await this.#behind();
      this.#nextLookMs = this.#now() + lookEveryMs;
      if (behind <= behindMax) return;
      if (behind < least) [least, leastAtMs] = [behind, this.#now()];
      if (this.#now() - leastAtMs >= stuckAfterMs) {
        this.#nextLookMs = this.#now() + ignoredForMs;
        return;
      }
      await wait(lookEveryMs, signal);
    }
  }

  /** Without an answer the backlog goes on. */
  async #behind(): Promise<number> {
    try {
      return await this.#options.behind();
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Kafka does not say how far consumers are; the backlog is published without waiting for them');
      return 0;
    }
  }
}
