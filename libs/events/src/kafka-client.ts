/** How this project opens kafkajs, and the topics it needs. */
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { kafkaSockets } from './kafka-sockets.ts';
import { fixKafkaTimers } from './kafka-timer-fix.ts';
import { patiently } from './patiently.ts';

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

/** The one way in which this project opens a kafkajs client. */
export function newKafka({ brokers, clientId, log }: Pick<KafkaOptions, 'brokers' | 'clientId' | 'log'>): Kafka {
  fixKafkaTimers();
  return new Kafka({
    brokers,
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 30_000,
    socketFactory: kafkaSockets(),
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

/** One event with its audit part may be larger than that. */
const messageBytesMax = 8 * 1024 * 1024;

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
      waitForLeaders: false,
      topics: wanted.map((topic) => ({ topic, numPartitions: options.partitions, replicationFactor: options.replicas, configEntries })),
    });
    await untilLed(admin, wanted);
  } finally {
    await admin.disconnect();
  }
}

const ledWithinMs = 30_000;

/** kafkajs' own wait gives up on the first broker that has not heard of a topic yet. */
async function untilLed(admin: Admin, wanted: string[]): Promise<void> {
  if (wanted.length === 0) return;
  await patiently(async () => {
    const { topics: found } = await admin.fetchTopicMetadata({ topics: wanted });
    if (!found.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)))
      throw Object.assign(new Error('the topics that were made have no leaders'), { retriable: true });
  }, ledWithinMs);
}
