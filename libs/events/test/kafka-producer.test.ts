/** What a successful send guarantees while leaders move: kafkajs's own producer against simulated brokers. */
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import type { Producer, ProducerConfig, TopicMessages } from 'kafkajs';
import { AcknowledgedProducer, Producers } from '../src/kafka/producer.ts';

const require = createRequire(import.meta.url);
const createProducer = require('kafkajs/src/producer/index.js') as (options: object) => Producer;
const { KafkaJSConnectionClosedError, KafkaJSProtocolError } = require('kafkajs/src/errors.js') as Record<
  string,
  new (
    ...args: unknown[]
  ) => Error
>;

const topic = 'catalog.events';
const partitions = [0, 1, 2, 3];
type Failure = () => Error;

interface Produced {
  topicData: { topic: string; partitions: { partition: number; messages: { value: string }[] }[] }[];
}

/** Two brokers: 1 leads the even partitions, 2 the odd ones; a failure of 1 makes 2 the leader of all. */
class PlayedCluster {
  readonly retry = {};
  readonly held: string[] = [];
  readonly #failures: Failure[];
  readonly #silentOf: number[];
  #leaders = new Map(partitions.map((partition) => [partition, partition % 2 === 0 ? 1 : 2]));

  /** `failures`: how broker 1 fails, once each; `silentOf`: partitions missing from the answers. */
  constructor(failures: Failure[], silentOf: number[] = []) {
    this.#failures = failures;
    this.#silentOf = silentOf;
  }

  readonly #brokers = new Map([1, 2].map((nodeId) => [nodeId, { nodeId, produce: (request: Produced) => this.#produce(nodeId, request) }]));

  async #produce(nodeId: number, { topicData }: Produced): Promise<object> {
    const failure = nodeId === 1 ? this.#failures.shift() : undefined;
    if (failure) {
      this.#leaders = new Map(partitions.map((partition) => [partition, 2]));
      throw failure();
    }
    const topics = topicData.map(({ topic: topicName, partitions: sent }) => {
      for (const { messages } of sent) this.held.push(...messages.map(({ value }) => value));
      const answers = sent.filter(({ partition }) => !this.#silentOf.includes(partition));
      return { topicName, partitions: answers.map(({ partition }) => ({ partition, errorCode: 0, baseOffset: '0' })) };
    });
    return { topics };
  }

  findTopicPartitionMetadata(): object[] {
    return partitions.map((partitionId) => ({ partitionId, leader: this.#leaders.get(partitionId) }));
  }

  findLeaderForPartitions(_topic: string, wanted: string[]): Record<number, number[]> {
    return Object.fromEntries(Map.groupBy(wanted.map(Number), (partition) => this.#leaders.get(partition)!).entries());
  }

  async findBroker({ nodeId }: { nodeId: string }): Promise<object> {
    return this.#brokers.get(Number(nodeId))!;
  }

  connect = async () => undefined;
  addMultipleTargetTopics = async () => undefined;
  refreshMetadata = async () => undefined;
  refreshMetadataIfNecessary = async () => undefined;
  isConnected = () => true;
  removeBroker = () => undefined;
}

const silent = { debug: () => undefined, error: () => undefined, info: () => undefined, warn: () => undefined };
const logger = { ...silent, namespace: () => silent };
const overCluster = (cluster: PlayedCluster, retries?: number) => (config: ProducerConfig) =>
  createProducer({ ...config, ...(retries && { retry: { retries, initialRetryTime: 1 } }), cluster, logger });
const batch = (): TopicMessages[] => [{ topic, messages: Array.from({ length: 40 }, (_, n) => ({ key: `1:${n}`, value: `event ${n}` })) }];
const all = batch()[0]!.messages.map(({ value }) => value);

const gone = () => new KafkaJSConnectionClosedError!('Closed connection', { host: '127.0.0.1', port: 1 });
const moved = () => new KafkaJSProtocolError!({ type: 'NOT_LEADER_OR_FOLLOWER', code: 6, retriable: true, message: 'moved' });

test.each([
  ['died', gone],
  ['moved', moved],
])('when a leader has %s, no success is reported of what nobody holds', async (_, failure) => {
  const unpatched = new PlayedCluster([failure]);
  const retrying = overCluster(unpatched, 5)({});
  await retrying.connect();
  await retrying.sendBatch({ topicMessages: batch() });
  expect(unpatched.held.length).toBeLessThan(all.length);

  const cluster = new PlayedCluster([failure]);
  const send = async () => {
    const producer = new AcknowledgedProducer(overCluster(cluster));
    await producer.connect();
    await producer.send(batch());
  };
  await expect(send()).rejects.toThrow();
  expect(cluster.held.length).toBeLessThan(all.length);
  await send();
  expect([...new Set(cluster.held)].sort()).toEqual([...all].sort());
});

test('a partition that no answer names counts as not sent, and is named', async () => {
  const producer = new AcknowledgedProducer(overCluster(new PlayedCluster([], [2])));
  await producer.connect();
  await expect(producer.send(batch())).rejects.toThrow('Kafka did not acknowledge catalog.events 2');
});

test('a late failure does not end the producer that has replaced the failed one', async () => {
  const ended: string[] = [];
  let opened = 0;
  const open = () => {
    const name = ++opened;
    return { connect: async () => undefined, disconnect: async () => void ended.push(`ended ${name}`) } as unknown as AcknowledgedProducer;
  };
  const producers = new Producers(open, async (work) => void (await work));
  const late = Promise.withResolvers<void>();
  const failing = producers.use(() => late.promise);
  await expect(producers.use(() => Promise.reject(new Error('at once')))).rejects.toThrow('at once');
  await producers.use(async () => undefined);
  late.reject(new Error('late'));
  await expect(failing).rejects.toThrow('late');
  await producers.use(async () => undefined);
  await producers.stop();
  expect([opened, ended]).toEqual([2, ['ended 1', 'ended 2']]);
});
