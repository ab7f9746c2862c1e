/** Whether the consumers get on, for liveness, and what to do when one of them has stopped for good. */
import type { Consumer } from 'kafkajs';

/** A consumer that did nothing for this long is stuck, whatever it says. */
const stuckAfterMs = 60_000;

type Watched = Pick<Consumer, 'on' | 'events'>;

export class KafkaProgress {
  readonly #onFatal: (error: Error) => void;
  readonly #monotonicMs: () => number;
  readonly #lastMs = new Map<string, number>();
  #stopped = false;

  constructor(onFatal: (error: Error) => void, monotonicMs: () => number = () => performance.now()) {
    this.#onFatal = onFatal;
    this.#monotonicMs = monotonicMs;
  }

  /**
   * Fetching, even nothing, is progress, and so is trying again while Kafka is down: a restart of this
   * process would not bring it back. A heartbeat is none: a consumer that is blocked goes on sending
   * it (tulios/kafkajs#1616).
   */
  watch(consumer: Watched, group: string): void {
    const { events } = consumer;
    const progressed = () => this.made(group);
    progressed();
    consumer.on(events.FETCH, progressed);
    consumer.on(events.END_BATCH_PROCESS, progressed);
    consumer.on(events.GROUP_JOIN, progressed);
    consumer.on(events.REQUEST_TIMEOUT, progressed);
    consumer.on(events.CRASH, ({ payload }) => {
      progressed();
      // Without a restart kafkajs would stay silent for ever from here on.
      if (!payload.restart && !this.#stopped) this.#onFatal(payload.error);
    });
  }

  made(group: string): void {
    this.#lastMs.set(group, this.#monotonicMs());
  }

  /** Undefined while every consumer gets on; otherwise what is stuck. */
  stuck(): string | undefined {
    const now = this.#monotonicMs();
    for (const [group, at] of this.#lastMs) {
      if (now - at > stuckAfterMs) return `the consumer ${group} has made no progress for ${Math.round((now - at) / 1000)} s`;
    }
    return undefined;
  }

  /** A consumer that ends from now on ends because it should. */
  stop(): void {
    this.#stopped = true;
  }
}
