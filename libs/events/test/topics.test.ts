/** The settings that topics are created with, the warnings for weaker ones, and how long inboxes remember. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { topics } from '@store/contract';
import { createTopics, forgetOldInbox, reportWeakTopics, weakTopics } from '@store/events';
import { capturingLog, describeWithKafka, logNothing } from '@store/testbed';
import { Kafka, logLevel } from 'kafkajs';
import { weaknessesOf } from '../src/kafka/topics.ts';
import { shareShop, shop } from './shop.ts';

const weekMs = 7 * 24 * 3_600_000;
const sound = {
  'min.insync.replicas': '2',
  'unclean.leader.election.enable': 'false',
  'cleanup.policy': 'delete',
  'retention.ms': String(weekMs),
  'segment.ms': String(weekMs / 7),
  'max.message.bytes': '8388608',
  'message.timestamp.type': 'LogAppendTime',
};
const judged = (changes: Record<string, string> = {}, replicas = 3) =>
  weaknessesOf(
    { name: 'catalog.events', replicas, config: (key) => ({ ...sound, ...changes })[key as keyof typeof sound] },
    { brokers: 3, retentionDays: 7 },
  );

describe('a topic', () => {
  test('that meets every requirement has no weakness', () => {
    expect(judged()).toEqual([]);
  });

  test.each([
    ['min.insync.replicas', '1', 'min.insync.replicas must be at least 2'],
    ['unclean.leader.election.enable', 'true', 'unclean.leader.election.enable must be false'],
    ['cleanup.policy', 'compact', 'cleanup.policy must be delete'],
    ['retention.ms', '-1', `retention.ms must be ${weekMs} at most (EVENT_RETENTION_DAYS=7)`],
    ['retention.ms', String(weekMs + 1), `retention.ms must be ${weekMs} at most (EVENT_RETENTION_DAYS=7)`],
    ['retention.ms', '3600000', `retention.ms must be ${weekMs} at least (EVENT_RETENTION_DAYS=7)`],
    ['segment.ms', String(weekMs + 1), `segment.ms must be ${weekMs} at most`],
    ['message.timestamp.type', 'CreateTime', 'message.timestamp.type must be LogAppendTime'],
    ['max.message.bytes', '1000000', 'max.message.bytes must be more than 1000000'],
  ])('whose %s is %s is named with what it must be', (key, value, sentence) => {
    expect(judged({ [key]: value })).toEqual([expect.stringContaining(`The topic catalog.events: ${sentence}`)]);
  });

  test('with fewer replicas than the brokers could hold is named', () => {
    expect(judged({ 'min.insync.replicas': '1' }, 1)).toEqual([expect.stringContaining('has 1 of 3 replicas')]);
  });
});

describe('an inbox', () => {
  shareShop();

  test('remembers for twice the retention of the topics, whatever that is', async () => {
    const remembered = async () =>
      (await shop.rows(`select extract(day from now() - received_at)::int as days from shop.inbox`)).map(({ days }) => days);
    for (const days of [1, 5, 7, 13, 15])
      await shop.rows(`insert into shop.inbox values (gen_random_uuid(), now() - make_interval(days => $1))`, [days]);
    await forgetOldInbox(shop.db, 7);
    expect(await remembered()).toEqual([1, 5, 7, 13]);
    await forgetOldInbox(shop.db, 3);
    expect(await remembered()).toEqual([1, 5]);
  });
});

describeWithKafka('Kafka', (brokers) => {
  // D277: the broker refuses what is more than an hour ahead, and removes at once what is older than its retention.
  test.each([
    ['two hours ahead', 2 * 3_600_000],
    ['eight days behind', -8 * 24 * 3_600_000],
  ])('keeps the events of a relay whose clock is %s, at its own time', async (_name, offMs) => {
    const options = { brokers, prefix: `${randomUUID().slice(0, 8)}.`, log: logNothing };
    await createTopics({ ...options, partitions: 1 });
    const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
    const [producer, admin] = [kafka.producer(), kafka.admin()];
    await Promise.all([producer.connect(), admin.connect()]);
    const topic = `${options.prefix}${topics[0]}`;
    const before = Date.now();
    await producer.send({ topic, acks: -1, messages: [{ value: 'event', timestamp: String(before + offMs) }] });
    expect(await admin.fetchTopicOffsetsByTimestamp(topic, before - 60_000)).toEqual([{ partition: 0, offset: '0' }]);
    expect(await admin.fetchTopicOffsetsByTimestamp(topic, before + 3_600_000)).toEqual([{ partition: 0, offset: '1' }]);
    await Promise.all([producer.disconnect(), admin.disconnect()]);
  });

  test('creates topics as required, and reports those that are weak for a process', async () => {
    const options = { brokers, prefix: `${randomUUID().slice(0, 8)}.`, log: logNothing };
    expect(await weakTopics(options)).toEqual(topics.map((topic) => `The topic ${options.prefix}${topic} is missing: run npm run topics`));
    await createTopics({ ...options, partitions: 1, retentionDays: 3 });
    expect(await weakTopics({ ...options, retentionDays: 3 })).toEqual([]);
    const { log, lines } = capturingLog();
    const report = reportWeakTopics({ ...options, log });
    while (lines.filter(({ level }) => level === 40).length < topics.length) await new Promise((resolve) => setTimeout(resolve, 20));
    report.stop();
    expect(report.found()).toBe(topics.length);
    expect(lines.map(({ weakness }) => weakness)).toEqual(
      topics.map((topic) => expect.stringContaining(`The topic ${options.prefix}${topic}: retention.ms must be ${weekMs} at least`)),
    );
  });
});
