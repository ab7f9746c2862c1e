/** The transport of the embedded default: hands each batch to the subscribers in this process. */
import type { Message, Subscription, Transport } from './message.ts';

export class InProcessTransport implements Transport {
  readonly #subscriptions: Subscription[] = [];

  /** Rejects when a subscriber does; the relay then brings the batch again. */
  async publish(batch: Message[]): Promise<void> {
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
    this.#subscriptions.length = 0;
  }
}
