/** The transport over Kafka. kafkajs is no longer maintained, so it stays behind these methods, quick to replace. */
import { setTimeout as wait } from 'node:timers/promises';
import { waitOrAbort } from '@store/db';
import type { Admin, Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { type Message, MessageTooLarge, type Subscription, type Transport } from '../message.ts';
import { groupTiming, kafkaTiming } from '../timing.ts';
import { type KafkaOptions, newKafka } from './client.ts';
import { Gather } from './gather.ts';
import { slowest } from './lag.ts';
import { OffsetCommits } from './offset-commits.ts';
import { AcknowledgedProducer, isTooLarge, Producers } from './producer.ts';
import { KafkaProgress } from './progress.ts';
import { pauseAfter, withTimeout } from './waits.ts';
import { fromWire, slicesOf, topicsOf, type Wired } from './wire.ts';

/** Most messages of one partition in one transaction of a consumer. */
const chunkMax = 100;
/** More than a process is assigned: what a fetch brings of all of them goes into one transaction. */
const partitionsAtOnce = 64;

interface Group {
  subscription: Subscription;
  gather: Gather;
  offsets: OffsetCommits;
}

export class KafkaTransport implements Transport {
  readonly #kafka: Kafka;
  readonly #options: KafkaOptions;
  readonly #producers: Producers;
  readonly #consumers: Consumer[] = [];
  readonly #offsets: OffsetCommits[] = [];
  readonly #stopping = new AbortController();
  readonly #progress: KafkaProgress;
  readonly #prefix: string;
  #admin: Promise<Admin> | undefined;

  constructor(options: KafkaOptions) {
    this.#options = options;
    this.#prefix = options.prefix ?? '';
    this.#progress = new KafkaProgress(options.onFatal);
    this.#kafka = newKafka(options);
    const open = () => new AcknowledgedProducer((config) => this.#kafka.producer(config));
    this.#producers = new Producers(open, (work) => this.#quietly(work));
  }

  /** One send at a time (the relay's), acknowledged by all in-sync replicas; a new producer after any failure. */
  async publish(batch: Message[]): Promise<void> {
    await this.#producers.use(async (producer) => {
      for (const slice of slicesOf(batch)) await this.#send(producer, slice);
    });
  }

  /** A topic may accept less at once than a slice holds: then messages are sent one at a time, and the refused one is identified. */
  async #send(producer: AcknowledgedProducer, slice: Wired[]): Promise<void> {
    try {
      await withTimeout(kafkaTiming.publishMaxMs, producer.send(topicsOf(slice, this.#prefix)), 'Kafka did not acknowledge in time');
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      if (slice.length === 1) throw new MessageTooLarge(slice[0]!.id, { cause: error });
      for (const one of slice) await this.#send(producer, [one]);
    }
  }

  async subscribe(subscription: Subscription): Promise<void> {
    const consumer = this.#kafka.consumer({
      groupId: this.#prefix + subscription.group,
      sessionTimeout: groupTiming.sessionMaxMs,
      rebalanceTimeout: groupTiming.rebalanceMaxMs,
      heartbeatInterval: groupTiming.heartbeatEveryMs,
      maxWaitTimeInMs: groupTiming.fetchWaitMs,
      // kafkajs decodes a fetch synchronously: a backlog must not block the requests of this process.
      maxBytesPerPartition: 128 * 1024,
      maxBytes: 256 * 1024,
      allowAutoTopicCreation: false,
      retry: { retries: 8, initialRetryTime: 200, maxRetryTime: 5_000 },
    });
    this.#progress.watch(consumer, subscription.group);
    this.#consumers.push(consumer);
    const offsets = new OffsetCommits(this.#options.commitEveryMs ?? groupTiming.commitEveryMs, (error) =>
      this.#options.log.warn({ err: error, group: subscription.group }, 'Offsets could not be committed; trying again'),
    );
    this.#offsets.push(offsets);
    consumer.on(consumer.events.REBALANCING, () => void offsets.commit());
    consumer.on(consumer.events.GROUP_JOIN, () => offsets.forget());
    // Not awaited: a service answers requests while Kafka is down, or while its group waits for a dead member.
    void this.#join(consumer, { subscription, gather: new Gather((batch) => subscription.handle(batch)), offsets });
  }

  async #join(consumer: Consumer, group: Group): Promise<void> {
    const { topics } = group.subscription;
    const listen = async () => {
      await consumer.connect();
      // A new group starts at the first message: an event written before the first start is not lost.
      await consumer.subscribe({ topics: topics.map((topic) => this.#prefix + topic), fromBeginning: true });
      await consumer.run({
        // kafkajs would commit after each batch of each partition.
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: partitionsAtOnce,
        eachBatch: (payload) => this.#take(group, payload),
      });
      if (this.#stopping.signal.aborted) await consumer.disconnect();
    };
    await this.#retry(group, () => !this.#stopping.signal.aborted, listen, 'Kafka cannot be listened to yet; trying again');
  }

  /** Whether `work` has succeeded while it was to go on. */
  async #retry({ subscription: { group } }: Group, goesOn: () => boolean, work: () => Promise<void>, failure: string): Promise<boolean> {
    for (let waitMs: number = groupTiming.retryMinMs; goesOn(); waitMs = Math.min(waitMs * 2, groupTiming.retryMaxMs)) {
      this.#progress.made(group);
      try {
        await work();
        return true;
      } catch (error) {
        this.#options.log.warn({ err: error, group }, failure);
      }
      await wait(waitMs);
    }
    return false;
  }

  /** Undefined while every consumer makes progress; otherwise what is stuck. For liveness. */
  stuck(): string | undefined {
    return this.#progress.stuck();
  }

  async behind(topic: string, groups: string[]): Promise<number> {
    this.#admin ??= this.#openAdmin();
    const opening = this.#admin;
    try {
      return await slowest(await opening, this.#prefix, topic, groups);
    } catch (error) {
      // kafkajs keeps a connection that does not answer.
      if (this.#admin === opening) this.#admin = undefined;
      await this.#quietly(opening.then((admin) => admin.disconnect()));
      throw error;
    }
  }

  async #openAdmin(): Promise<Admin> {
    const admin = this.#kafka.admin();
    await admin.connect();
    return admin;
  }

  async stopConsuming(): Promise<void> {
    this.#stopping.abort();
    this.#progress.stop();
    await Promise.all(this.#offsets.splice(0).map((offsets) => offsets.end()));
    await Promise.all(
      this.#consumers
        .splice(0)
        .map((consumer) => this.#quietly(withTimeout(kafkaTiming.stopMaxMs, consumer.disconnect(), 'The consumer did not stop in time'))),
    );
  }

  async stop(): Promise<void> {
    await this.stopConsuming();
    await this.#producers.stop();
    const opened = this.#admin;
    if (opened) await this.#quietly(opened.then((admin) => admin.disconnect()));
  }

  /** Passes a fetched batch on in chunks; the offset moves only past messages that were handled. */
  async #take(group: Group, payload: EachBatchPayload): Promise<void> {
    const { batch, resolveOffset, isRunning, isStale } = payload;
    const startedAtMs = performance.now();
    const going = () => isRunning() && !isStale();
    const topic = batch.topic.slice(this.#prefix.length);
    for (let start = 0; start < batch.messages.length && going(); start += chunkMax) {
      const chunk = batch.messages.slice(start, start + chunkMax);
      const messages = chunk.map((wire) => fromWire(topic, batch.partition, wire));
      if (!(await this.#handle(group, messages, payload))) return;
      resolveOffset(chunk.at(-1)!.offset);
      group.offsets.due(payload);
      await this.#beat(group, payload);
    }
    const tookMs = performance.now() - startedAtMs;
    const lingerMs = group.subscription.lingerMs?.() ?? 0;
    const pauseMs = pauseAfter({ lingerMs, tookMs, behind: Number(batch.offsetLag()) });
    if (pauseMs > 0) await waitOrAbort(pauseMs, this.#stopping.signal);
  }

  /** A heartbeat that is refused comes before the partitions go to another member; what the consumer stops in is committed too. */
  async #beat({ offsets }: Group, { isRunning, heartbeat }: EachBatchPayload): Promise<void> {
    try {
      await heartbeat();
    } catch (error) {
      await offsets.commit();
      throw error;
    }
    if (!isRunning()) await offsets.commit();
  }

  /** Retries until the chunk is handled or the partition is reassigned; heartbeats meanwhile, or the group would evict us. */
  async #handle(group: Group, messages: Message[], { isRunning, isStale, heartbeat }: EachBatchPayload): Promise<boolean> {
    const beat = setInterval(() => void this.#quietly(heartbeat()), groupTiming.heartbeatEveryMs);
    const goesOn = () => isRunning() && !isStale();
    try {
      return await this.#retry(group, goesOn, () => group.gather.add(messages), 'A batch could not be handled and will be retried');
    } finally {
      clearInterval(beat);
    }
  }

  async #quietly(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Kafka: a call off the request path failed');
    }
  }
}
