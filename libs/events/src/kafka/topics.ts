/** The topics of every service: created once, and checked at the start of every process. */
import { topics } from '@store/contract';
import type { Admin, ConfigResourceTypes } from 'kafkajs';
import { eventBytesMax } from '../outbox/emit.ts';
import { dayMs, kafkaTiming, retentionDaysDefault } from '../timing.ts';
import { type KafkaLog, type KafkaPlace, withAdmin } from './client.ts';
import { retryRetriable } from './waits.ts';

/** One event with its audit part may be larger than a broker's default limit. */
const messageBytesMax = 8 * 1024 * 1024;
/** Kafka deletes a segment as a whole, a retention after its youngest event was written. */
const segmentMs = dayMs;
const replicasMax = 3;
/** From kafkajs's enum, which an ES module cannot import. */
const topicResource: ConfigResourceTypes.TOPIC = 2;

interface TopicsOptions extends KafkaPlace {
  retentionDays?: number;
}

/** The deploy step that creates the topics; existing ones stay unchanged. Without `replicas`: three, or one per broker if there are fewer. */
export function createTopics(options: TopicsOptions & { partitions: number; replicas?: number }): Promise<void> {
  // kafkajs logs each answer of a broker that does not know a new topic yet; a lasting error is thrown.
  const info: KafkaLog['info'] = (fields, message) => options.log.info(fields, message);
  return withAdmin({ ...options, log: { info, warn: info, error: info } }, async (admin) => {
    const there = new Set(await admin.listTopics());
    const wanted = namesOf(options).filter((topic) => !there.has(topic));
    const replicas = options.replicas ?? Math.min(replicasMax, (await admin.describeCluster()).brokers.length);
    const configs = {
      'max.message.bytes': messageBytesMax,
      'message.timestamp.type': 'LogAppendTime',
      'min.insync.replicas': replicas >= replicasMax ? 2 : 1,
      'retention.ms': (options.retentionDays ?? retentionDaysDefault) * dayMs,
      'segment.ms': segmentMs,
      'unclean.leader.election.enable': false,
    };
    const configEntries = Object.entries(configs).map(([name, value]) => ({ name, value: String(value) }));
    await admin.createTopics({
      waitForLeaders: false,
      topics: wanted.map((topic) => ({ topic, numPartitions: options.partitions, replicationFactor: replicas, configEntries })),
    });
    await untilLed(admin, wanted);
  });
}

/** What the existing topics lack, one sentence each. */
export function weakTopics(options: TopicsOptions): Promise<string[]> {
  return withAdmin(options, async (admin) => {
    const names = namesOf(options);
    const there = new Set(await admin.listTopics());
    const present = names.filter((name) => there.has(name));
    const brokers = (await admin.describeCluster()).brokers.length;
    const facts = present.length === 0 ? [] : await factsOf(admin, present);
    const demanded = { brokers, retentionDays: options.retentionDays ?? retentionDaysDefault };
    const missing = names.filter((name) => !there.has(name)).map((name) => `The topic ${name} is missing: run npm run topics`);
    return [...missing, ...facts.flatMap((topic) => weaknessesOf(topic, demanded))];
  });
}

interface TopicFacts {
  name: string;
  /** Of the partition with the fewest replicas. */
  replicas: number;
  config(key: string): string;
}

interface Demanded {
  brokers: number;
  retentionDays: number;
}

/** One sentence per requirement that the topic does not meet. */
export function weaknessesOf({ name, replicas, config }: TopicFacts, { brokers, retentionDays }: Demanded): string[] {
  const number = (key: string) => Number(config(key));
  const wantedReplicas = Math.min(replicasMax, brokers);
  const wantedInSync = replicas >= replicasMax ? 2 : 1;
  const retentionMs = retentionDays * dayMs;
  const found: [boolean, string][] = [
    [replicas < wantedReplicas, `has ${replicas} of ${wantedReplicas} replicas: a broker that is lost takes its events along`],
    [
      number('min.insync.replicas') < wantedInSync,
      `min.insync.replicas must be at least ${wantedInSync}: what one broker alone has counts as sent`,
    ],
    [
      config('unclean.leader.election.enable') === 'true',
      'unclean.leader.election.enable must be false: a broker that missed events may lead',
    ],
    [config('cleanup.policy') !== 'delete', 'cleanup.policy must be delete: compaction removes events that were not handled'],
    [
      number('retention.ms') < 0 || number('retention.ms') > retentionMs,
      `retention.ms must be ${retentionMs} at most (EVENT_RETENTION_DAYS=${retentionDays}): inboxes forget an event before the topic does`,
    ],
    [
      number('retention.ms') >= 0 && number('retention.ms') < retentionMs,
      `retention.ms must be ${retentionMs} at least (EVENT_RETENTION_DAYS=${retentionDays}): events go before a consumer that is down has had them`,
    ],
    [number('segment.ms') > retentionMs, `segment.ms must be ${retentionMs} at most: a segment keeps its events beyond their retention`],
    [
      config('message.timestamp.type') !== 'LogAppendTime',
      'message.timestamp.type must be LogAppendTime: events of a relay whose clock is wrong are refused, or removed before they are handled',
    ],
    [number('max.message.bytes') <= eventBytesMax, `max.message.bytes must be more than ${eventBytesMax}: an event may have that many`],
  ];
  return found.filter(([isWeak]) => isWeak).map(([, sentence]) => `The topic ${name}: ${sentence}`);
}

async function factsOf(admin: Admin, names: string[]): Promise<TopicFacts[]> {
  const { topics: found } = await admin.fetchTopicMetadata({ topics: names });
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: names.map((name) => ({ type: topicResource, name })),
  });
  const configs = new Map(
    resources.map(({ resourceName, configEntries }) => [
      resourceName,
      new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    ]),
  );
  const partitionsOf = new Map(found.map(({ name, partitions }) => [name, partitions]));
  return names.map((name) => ({
    name,
    replicas: Math.min(...partitionsOf.get(name)!.map(({ replicas }) => replicas.length)),
    config: (key) => configs.get(name)?.get(key) ?? '',
  }));
}

function namesOf({ prefix = '' }: TopicsOptions): string[] {
  return topics.map((topic) => prefix + topic);
}

/** kafkajs' own wait gives up at the first broker that does not know a topic yet. */
async function untilLed(admin: Admin, wanted: string[]): Promise<void> {
  if (wanted.length === 0) return;
  await retryRetriable(async () => {
    const { topics: found } = await admin.fetchTopicMetadata({ topics: wanted });
    if (!found.every(({ partitions }) => partitions.length > 0 && partitions.every(({ leader }) => leader >= 0)))
      throw Object.assign(new Error('the topics that were made have no leaders'), { retriable: true });
  }, kafkaTiming.leadersMaxMs);
  // A broker named as leader may not know it yet, and refuses messages until it does.
  for (const topic of wanted) await retryRetriable(() => admin.fetchTopicOffsets(topic), kafkaTiming.leadersMaxMs);
}

interface TopicsReport {
  /** Weaknesses that were found; undefined until Kafka has answered. */
  found(): number | undefined;
  stop(): void;
}

/** Logs weak topics once Kafka answers. The process starts anyway: refusing to start would make an outage of Kafka permanent, and no event safer. */
export function reportWeakTopics(options: TopicsOptions): TopicsReport {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let found: number | undefined;
  const look = async () => {
    try {
      const weaknesses = await weakTopics(options);
      found = weaknesses.length;
      for (const weakness of weaknesses) options.log.warn({ weakness }, 'A topic does not hold what is promised');
    } catch (error) {
      if (stopped) return;
      options.log.warn({ err: error }, 'The topics could not be looked at yet; trying again');
      timer = setTimeout(() => void look(), kafkaTiming.topicsAgainAfterMs);
      timer.unref();
    }
  };
  void look();
  return {
    found: () => found,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
