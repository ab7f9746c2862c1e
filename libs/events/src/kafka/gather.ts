/**
 * One transaction for what comes from several partitions: while one runs, batches wait, and then go together. A partition gives its next
 * batch after the last one's end, so its order is kept.
 */
import type { Message } from '../message.ts';

interface Waiting {
  batch: Message[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Most messages of one transaction; a batch is never split. */
const messagesMax = 500;

export class Gather {
  readonly #handle: (batch: Message[]) => Promise<void>;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(handle: (batch: Message[]) => Promise<void>) {
    this.#handle = handle;
  }

  /** Settles with the transaction that the batch went into; after a rejection the caller brings it again. */
  add(batch: Message[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      // The batches of one fetch arrive in one turn of the loop.
      await new Promise((resolve) => setImmediate(resolve));
      const taken = this.#take();
      try {
        await this.#handle(taken.flatMap(({ batch }) => batch));
        for (const { resolve } of taken) resolve();
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    this.#running = false;
  }

  #take(): Waiting[] {
    let messages = 0;
    let count = 0;
    for (const { batch } of this.#waiting) {
      messages += batch.length;
      if (count > 0 && messages > messagesMax) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }
}
