/** The in-process transport, the embedded default: passes each batch to the subscribers in this process. */
import type { Message, Subscription, Transport } from './message.ts';

interface InProcessOptions {
  /** Batches wait until `open`: the first service's relay would otherwise publish before the last one has subscribed. */
  held?: boolean;
}

export class InProcessTransport implements Transport {
  readonly #subscriptions: Subscription[] = [];
  readonly #opened = Promise.withResolvers<void>();
  #closed = false;

  constructor({ held = false }: InProcessOptions = {}) {
    if (!held) this.open();
  }

  open(): void {
    this.#opened.resolve();
  }

  /** Rejects when a subscriber does, or when the transport is closed; the relay then publishes the batch again. */
  async publish(batch: Message[]): Promise<void> {
    await this.#opened.promise;
    if (this.#closed) throw new Error('The transport is closed');
    await Promise.all(
      this.#subscriptions.map(async (subscription) => {
        const mine = batch.filter((message) => subscription.topics.includes(message.topic));
        if (mine.length > 0) await subscription.handle(mine);
      }),
    );
  }

  async subscribe(subscription: Subscription): Promise<void> {
    this.#subscriptions.push(subscription);
  }

  async stop(): Promise<void> {
    this.#closed = true;
    this.#opened.resolve();
  }
}
