/** A kafkajs producer whose success means that every partition in the send has acknowledged. */
import type { Producer, ProducerConfig, TopicMessages, Message as WireMessage } from 'kafkajs';
import { kafkaTiming } from '../timing.ts';
import { kafkajs } from './client.ts';
import { withTimeout } from './waits.ts';

export class AcknowledgedProducer {
  readonly #producer: Producer;
  readonly #partitionOf = new WeakMap<WireMessage, number>();

  constructor(make: (config: ProducerConfig) => Producer) {
    const choose = kafkajs().Partitioners.DefaultPartitioner();
    this.#producer = make({
      allowAutoTopicCreation: false,
      // Not idempotent: an outbox is at-least-once anyway, and kafkajs' idempotent mode can lose messages.
      idempotent: false,
      maxInFlightRequests: 1,
      createPartitioner: () => (args) => {
        const partition = choose(args);
        this.#partitionOf.set(args.message, partition);
        return partition;
      },
      // kafkajs 2.2.4 sends a retry only to brokers that have not answered yet: a partition that has meanwhile moved to
      // one that has answered is never sent, and the send succeeds. So kafkajs does not retry; the caller sends everything again.
      retry: { retries: 0 },
    });
  }

  connect(): Promise<void> {
    return this.#producer.connect();
  }

  disconnect(): Promise<void> {
    return this.#producer.disconnect();
  }

  /** Resolves once all in-sync replicas of every partition hold the messages. */
  async send(topicMessages: TopicMessages[]): Promise<void> {
    const answers = await this.#producer.sendBatch({ topicMessages, acks: -1 });
    const answered = new Set(
      answers.filter(({ errorCode }) => errorCode === 0).map(({ topicName, partition }) => `${topicName} ${partition}`),
    );
    const sent = new Set(
      topicMessages.flatMap(({ topic, messages }) => messages.map((message) => `${topic} ${this.#partitionOf.get(message)}`)),
    );
    const missing = [...sent].filter((partition) => !answered.has(partition));
    if (missing.length > 0) throw new Error(`Kafka did not acknowledge ${missing.join(', ')}`);
  }
}

/** Whether the broker refused the messages for their size, which no retry changes. */
export function isTooLarge(error: unknown): boolean {
  return ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'].includes((error as { type?: string }).type ?? '');
}

/** The producer that sends: one that has failed is replaced. */
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
