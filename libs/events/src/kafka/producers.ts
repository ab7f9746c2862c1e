/** The producer that sends: one that has failed is replaced. */
import { kafkaTiming } from '../timing.ts';
import type { AcknowledgedProducer } from './producer.ts';
import { withTimeout } from './with-timeout.ts';

export class Producers {
  readonly #open: () => AcknowledgedProducer;
  readonly #quietly: (work: Promise<unknown>) => Promise<void>;
  #present: Promise<AcknowledgedProducer> | undefined;

  /** `quietly`: awaits work whose failure is only logged. */
  constructor(open: () => AcknowledgedProducer, quietly: (work: Promise<unknown>) => Promise<void>) {
    this.#open = open;
    this.#quietly = quietly;
  }

  /** After a timeout kafkajs keeps using the socket (tulios/kafkajs#1783), and after any failure the leaders it has cached. */
  async use(work: (producer: AcknowledgedProducer) => Promise<void>): Promise<void> {
    this.#present ??= this.#connected();
    const taken = this.#present;
    try {
      await work(await taken);
    } catch (error) {
      // A failure may come late, when another one has replaced the producer: the present one is not to blame.
      if (this.#present === taken) this.#drop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const taken = this.#present;
    if (taken) await this.#disconnect(taken);
  }

  #drop(): void {
    const failed = this.#present!;
    this.#present = undefined;
    void this.#disconnect(failed);
  }

  async #connected(): Promise<AcknowledgedProducer> {
    const producer = this.#open();
    await withTimeout(kafkaTiming.publishMaxMs, producer.connect(), 'Kafka could not be reached');
    return producer;
  }

  #disconnect(connecting: Promise<AcknowledgedProducer>): Promise<void> {
    const disconnected = connecting.then(
      (producer) => producer.disconnect(),
      // It never connected; its caller got that error.
      () => undefined,
    );
    return this.#quietly(withTimeout(kafkaTiming.stopMaxMs, disconnected, 'The old producer did not stop in time'));
  }
}
