/** Whether consumers make progress, for liveness, and what to do when one has stopped permanently. */
import type { Consumer } from 'kafkajs';
import { groupTiming } from '../timing.ts';

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
   * Fetching is progress, and so is retrying while Kafka is down, which a restart would not bring back. A heartbeat is not: a blocked
   * consumer sends them too (tulios/kafkajs#1616).
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
      // Without a restart kafkajs would stay stopped from here on.
      if (!payload.restart && !this.#stopped) this.#onFatal(payload.error);
    });
  }

  made(group: string): void {
    this.#lastMs.set(group, this.#monotonicMs());
  }

  stuck(): string | undefined {
    const now = this.#monotonicMs();
    for (const [group, at] of this.#lastMs) {
      if (now - at > groupTiming.stuckAfterMs) return `the consumer ${group} has made no progress for ${Math.round((now - at) / 1000)} s`;
    }
    return undefined;
  }

  /** From now on a consumer that stops was stopped deliberately. */
  stop(): void {
    this.#stopped = true;
  }
}
