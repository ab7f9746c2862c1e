/**
 * The transport over Kafka. kafkajs stays behind these two methods: it is wire-compatible with Kafka
 * 3.9 and 4, but no longer maintained, and must be replaceable in a day.
 */
import {
  type Consumer,
  type EachBatchPayload,
  Kafka,
  logLevel,
  Partitioners,
  type Producer,
  type TopicMessages,
  type Message as WireMessage,
} from 'kafkajs';
import { fromWire, toWire, wireSize } from './kafka-message.ts';
import { KafkaProgress } from './kafka-progress.ts';
import { fixKafkaTimers } from './kafka-timer-fix.ts';
import type { Message, Subscription, Transport } from './message.ts';

export interface KafkaOptions {
  /** host:port of some brokers. */
  brokers: string[];
  /** Name of this process in the brokers' logs. */
  clientId: string;
  /** Put before the name of every topic and group, so that several installations can share brokers. */
  prefix?: string;
  log: KafkaLog;
  /** A consumer stopped for good: the process should end and be started again. */
  onFatal(error: Error): void;
}

export interface KafkaLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** A broker takes 1 MiB at once into a partition unless it is told otherwise; this leaves room for what is around the messages. */
const sendBytesMax = 900 * 1024;
/** One event with its audit part may be larger than that. */
const messageBytesMax = 8 * 1024 * 1024;
/** Longest wait for the brokers' word on one batch; kafkajs alone may wait for minutes on a dead socket. */
const publishTimeoutMs = 5_000;
const stopTimeoutMs = 5_000;
/** One transaction of a consumer takes at most this many messages. */
const chunkMax = 500;
const heartbeatEveryMs = 3_000;
const retryMinMs = 100;
const retryMaxMs = 1_000;

export class KafkaTransport implements Transport {
  readonly #kafka: Kafka;
  readonly #options: KafkaOptions;
  #producer: Promise<Producer> | undefined;
  readonly #consumers: Consumer[] = [];
  readonly #progress: KafkaProgress;
  readonly #prefix: string;
  #stopped = false;

  constructor(options: KafkaOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? '';
    this.#progress = new KafkaProgress(options.onFatal);
    this.#kafka = newKafka(options);
  }

  /** One awaited send at a time (the relay's), acknowledged by all replicas; a new producer after any failure. */
  async publish(batch: Message[]): Promise<void> {
    const producer = await this.#connectedProducer();
    try {
      for (const slice of slicesOf(batch)) {
        const topicMessages = topicsOf(slice, this.#prefix);
        await within(publishTimeoutMs, producer.sendBatch({ topicMessages, acks: -1 }), 'Kafka did not acknowledge in time');
      }
    } catch (error) {
      this.#dropProducer(producer);
      throw error;
    }
  }

  async subscribe(subscription: Subscription): Promise<void> {
    const consumer = this.#kafka.consumer({
      groupId: this.#prefix + subscription.group,
      // A member that is gone without a word keeps its partitions this long; kafkajs forgets who it was when Kafka comes back.
      sessionTimeout: 10_000,
      rebalanceTimeout: 60_000,
      heartbeatInterval: heartbeatEveryMs,
      maxWaitTimeInMs: 500,
      allowAutoTopicCreation: false,
      retry: { retries: 8, initialRetryTime: 200, maxRetryTime: 5_000 },
    });
    this.#progress.watch(consumer, subscription.group);
    this.#consumers.push(consumer);
    // Not waited for: a service answers requests while Kafka is away, or while its group waits for a member that died.
    void this.#join(consumer, subscription);
  }

  async #join(consumer: Consumer, subscription: Subscription): Promise<void> {
    for (let waitMs = retryMinMs; !this.#stopped; waitMs = Math.min(waitMs * 2, retryMaxMs)) {
      this.#progress.made(subscription.group);
      try {
        await consumer.connect();
        // A new group starts with what is there: an event written before the first start is not lost.
        await consumer.subscribe({ topics: subscription.topics.map((topic) => this.#prefix + topic), fromBeginning: true });
        await consumer.run({
          autoCommit: true,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: 3,
          eachBatch: (payload) => this.#take(subscription, payload),
        });
        if (this.#stopped) await consumer.disconnect();
        return;
      } catch (error) {
        this.#options.log.warn({ err: error, group: subscription.group }, 'Kafka cannot be listened to yet; trying again');
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  /** Undefined while every consumer makes progress; otherwise what is stuck. For liveness. */
  stuck(): string | undefined {
    return this.#progress.stuck();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#progress.stop();
    await Promise.all(
      this.#consumers.map((consumer) => this.#quietly(within(stopTimeoutMs, consumer.disconnect(), 'The consumer did not stop in time'))),
    );
    const producer = this.#producer;
    if (producer)
      await this.#quietly(
        within(
          stopTimeoutMs,
          producer.then((connected) => connected.disconnect()),
          'The producer did not stop in time',
        ),
      );
  }

  #connectedProducer(): Promise<Producer> {
    if (!this.#producer) {
      const connecting = this.#connectProducer();
      this.#producer = connecting;
      connecting.catch(() => {
        if (this.#producer === connecting) this.#producer = undefined;
      });
    }
    return this.#producer;
  }

  async #connectProducer(): Promise<Producer> {
    const producer = this.#kafka.producer({
      allowAutoTopicCreation: false,
      // Not idempotent: an outbox is at-least-once anyway, and kafkajs' idempotent mode can lose.
      idempotent: false,
      maxInFlightRequests: 1,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 2_000 },
    });
    await within(publishTimeoutMs, producer.connect(), 'Kafka could not be reached');
    return producer;
  }

  /** After a time-out kafkajs goes on using the socket that timed out (tulios/kafkajs#1783): make a new one. */
  #dropProducer(producer: Producer): void {
    this.#producer = undefined;
    void this.#quietly(within(stopTimeoutMs, producer.disconnect(), 'The old producer did not stop in time'));
  }

  /** Hands a fetched batch over in chunks; the offset moves only behind what was handled. */
  async #take(subscription: Subscription, payload: EachBatchPayload): Promise<void> {
    const { batch, resolveOffset, commitOffsetsIfNecessary, isRunning, isStale, heartbeat } = payload;
    const going = () => isRunning() && !isStale();
    const topic = batch.topic.slice(this.#prefix.length);
    for (let start = 0; start < batch.messages.length && going(); start += chunkMax) {
      const chunk = batch.messages.slice(start, start + chunkMax);
      const messages = chunk.map((wire) => fromWire(topic, batch.partition, wire));
      if (!(await this.#handle(subscription, messages, payload))) return;
      resolveOffset(chunk.at(-1)!.offset);
      await commitOffsetsIfNecessary();
      await heartbeat();
    }
  }

  /** Tries until it is handled or the partition is another's; heartbeats all the while, or the group would evict us. */
  async #handle(subscription: Subscription, messages: Message[], { isRunning, isStale, heartbeat }: EachBatchPayload): Promise<boolean> {
    const beat = setInterval(() => void this.#quietly(heartbeat()), heartbeatEveryMs);
    try {
      for (let waitMs = retryMinMs; isRunning() && !isStale(); waitMs = Math.min(waitMs * 2, retryMaxMs)) {
        this.#progress.made(subscription.group);
        try {
          await subscription.handle(messages);
          return true;
        } catch (error) {
          this.#options.log.error({ err: error, group: subscription.group }, 'A batch could not be handled and comes again');
        }
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
      return false;
    } finally {
      clearInterval(beat);
    }
  }

  async #quietly(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Kafka: a call that nothing waits for failed');
    }
  }
}

interface Wired {
  topic: string;
  wire: WireMessage;
}

/** In order, and each small enough for one partition to take all of it: a broker refuses more for ever. */
function slicesOf(batch: Message[]): Wired[][] {
  const slices: Wired[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of batch) {
    const wire = toWire(message);
    const size = wireSize(wire);
    if (bytes + size > sendBytesMax) {
      slices.push([]);
      bytes = 0;
    }
    slices.at(-1)!.push({ topic: message.topic, wire });
    bytes += size;
  }
  return slices;
}

function topicsOf(slice: Wired[], prefix: string): TopicMessages[] {
  return [...Map.groupBy(slice, ({ topic }) => topic)].map(([topic, messages]) => ({
    topic: prefix + topic,
    messages: messages.map(({ wire }) => wire),
  }));
}

/** The one way in which this project opens a kafkajs client. */
export function newKafka({ brokers, clientId, log }: Pick<KafkaOptions, 'brokers' | 'clientId' | 'log'>): Kafka {
  fixKafkaTimers();
  return new Kafka({
    brokers,
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 30_000,
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ level, log: { message, error, ...rest } }) => {
        const fields = { kafka: rest.groupId ?? rest.clientId, detail: error };
        if (level <= logLevel.ERROR) log.error(fields, message);
        else log.warn(fields, message);
      },
  });
}

/** Rejects after `ms`; what it raced with goes on unheeded. */
function within<T>(ms: number, work: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Topics of every service; more partitions later would break the order per record. */
export const topics = ['gateway', 'catalog', 'customers', 'sales', 'inventory', 'purchasing', 'webhooks'].map((app) => `${app}.events`);

/** The deploy step that makes the topics; those that exist stay as they are. */
export async function createTopics(
  options: Pick<KafkaOptions, 'brokers' | 'log' | 'prefix'> & { partitions: number; replicas: number },
): Promise<void> {
  const admin = newKafka({ ...options, clientId: 'store-topics' }).admin();
  await admin.connect();
  try {
    const there = new Set(await admin.listTopics());
    const wanted = topics.map((topic) => (options.prefix ?? '') + topic).filter((topic) => !there.has(topic));
    const configEntries = [{ name: 'max.message.bytes', value: String(messageBytesMax) }];
    await admin.createTopics({
      waitForLeaders: true,
      topics: wanted.map((topic) => ({ topic, numPartitions: options.partitions, replicationFactor: options.replicas, configEntries })),
    });
  } finally {
    await admin.disconnect();
  }
}
