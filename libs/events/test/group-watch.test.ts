/** The lag of groups, as tests use it to wait until everything is handled. */
import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createTopics, KafkaTransport, type Message, watchGroups } from '@store/events';
import { describeWithKafka, logNothing } from '@store/testbed';
import { behindIn } from '../src/kafka/group-watch.ts';

const message = (aggregate: number): Message => ({
  id: randomUUID(),
  topic: 'catalog.events',
  storeId: 1,
  name: 'product.updated',
  aggregate: String(aggregate),
  public: null,
  internal: null,
  actor: { type: 'system', key: null, user: null },
  requestId: 'request-1',
  createdAt: '2026-11-21T09:30:00.000Z',
});

test('a group that is ahead of the count in one partition is still behind in another', () => {
  const partitions = [
    { written: 10, committed: 15 },
    { written: 10, committed: 5 },
    { written: 3, committed: -1 },
  ];
  expect(partitions.map(({ written, committed }) => behindIn(written, committed))).toEqual([0, 5, 3]);
});

describeWithKafka('a watch over groups', (brokers) => {
  test('counts the messages that a group has not handled, and names unwatched groups', async () => {
    const kafka = { brokers, prefix: `${randomBytes(4).toString('hex')}.`, log: logNothing };
    await createTopics({ ...kafka, partitions: 3, replicas: 1 });
    const transport = new KafkaTransport({ ...kafka, clientId: 'watched', onFatal: () => undefined });
    const listens = { group: 'slow', topics: ['catalog.events'] };
    const watch = await watchGroups(kafka, [listens]);
    try {
      expect(await watch.published()).toEqual({ messages: 0, behind: 0 });
      const messages = Array.from({ length: 20 }, (_, n) => message(n));
      await transport.publish(messages);
      expect(await watch.published()).toEqual({ messages: 20, behind: 20 });
      const gate = Promise.withResolvers<void>();
      await transport.subscribe({ ...listens, handle: () => gate.promise });
      await transport.subscribe({ group: 'strange', topics: ['catalog.events'], handle: async () => undefined });
      while ((await watch.unwatched()).length === 0);
      expect(await watch.unwatched()).toEqual([`${kafka.prefix}strange`]);
      expect(await watch.published()).toEqual({ messages: 20, behind: 20 });
      gate.resolve();
      while ((await watch.published()).behind > 0);
    } finally {
      await watch.close();
      await transport.stop();
    }
  });
});
