/** How far groups lag, on a simulated cluster and on Kafka. */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createTopics, KafkaTransport, watchGroups } from '@store/events';
import { describeWithKafka, logNothing } from '@store/testbed';
import { behindOf, standingBy } from '../src/kafka/lag.ts';
import { message } from './shop.ts';

type Open = Parameters<typeof standingBy>[0];
const options = { brokers: ['127.0.0.1:1'], prefix: 'p.', log: logNothing, group: 'catalog', topics: ['gateway.events'] };

/** `answers`: what each opened client gets for the ends of a topic. */
function playedCluster(answers: (() => object[])[]) {
  const clients = { opened: 0, closed: 0 };
  const open = () => {
    const answer = answers[clients.opened++]!;
    return {
      connect: async () => undefined,
      disconnect: async () => void clients.closed++,
      fetchOffsets: async () => [{ topic: 'p.gateway.events', partitions: [{ partition: 0, offset: '7' }] }],
      fetchTopicOffsets: async () => answer(),
    };
  };
  return { clients, open: open as unknown as Open };
}

const ends = () => [
  { partition: 0, high: '10' },
  { partition: 1, high: '2' },
];
const refused = (retriable: boolean) => () => {
  throw Object.assign(new Error('This server is not the leader for that topic-partition'), { retriable });
};

test('a leader that has moved is found by a new client', async () => {
  const { clients, open } = playedCluster([refused(true), ends]);
  expect(await standingBy(open, options)).toEqual({ written: 12, behind: 5 });
  expect(clients).toEqual({ opened: 2, closed: 2 });
});

test('a failure that repeating does not solve is an error', async () => {
  const { clients, open } = playedCluster([refused(false)]);
  await expect(standingBy(open, options)).rejects.toThrow('not the leader');
  expect(clients).toEqual({ opened: 1, closed: 1 });
});

test('a group that is ahead of the count in one partition is still behind in another', () => {
  const committed = new Map(Object.entries({ a: 15, b: 5, c: -1 }));
  expect(behindOf(new Map(Object.entries({ a: 10, b: 10, c: 3, d: 2 })), committed)).toBe(5 + 3 + 2);
});

describeWithKafka('a watch over groups', (brokers) => {
  test('counts the messages that a group has not handled, and names unwatched groups', async () => {
    const kafka = { brokers, prefix: `${randomBytes(4).toString('hex')}.`, log: logNothing };
    await createTopics({ ...kafka, partitions: 3, replicas: 1 });
    const transport = new KafkaTransport({ ...kafka, clientId: 'watched', onFatal: () => undefined });
    const listens = { group: 'slow', topics: ['catalog.events'] };
    const watch = await watchGroups(kafka, [listens]);
    try {
      expect(await watch.published()).toEqual({ messages: 0, behind: 0, groups: {} });
      const messages = Array.from({ length: 20 }, (_, n) => message({ aggregate: String(n) }));
      await transport.publish(messages);
      expect(await watch.published()).toEqual({ messages: 20, behind: 20, groups: { slow: 20 } });
      const gate = Promise.withResolvers<void>();
      await transport.subscribe({ ...listens, handle: () => gate.promise });
      await transport.subscribe({ group: 'strange', topics: ['catalog.events'], handle: async () => undefined });
      while ((await watch.unwatched()).length === 0);
      expect(await watch.unwatched()).toEqual([`${kafka.prefix}strange`]);
      expect(await watch.published()).toEqual({ messages: 20, behind: 20, groups: { slow: 20 } });
      gate.resolve();
      while ((await watch.published()).behind > 0);
    } finally {
      await watch.close();
      await transport.stop();
    }
  });
});
