/** A transport that keeps what is published. */
import type { Message, Subscription, Transport } from '@store/events';

export class RecordingTransport implements Transport {
  readonly messages: Message[] = [];

  async publish(batch: Message[]): Promise<void> {
    this.messages.push(...batch);
  }

  async subscribe(_subscription: Subscription): Promise<void> {
    throw new Error('nothing is delivered by a RecordingTransport');
  }

  async stop(): Promise<void> {
    this.messages.length = 0;
  }
}
