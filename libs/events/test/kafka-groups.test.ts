/** The position of a group, on a simulated cluster. */
import { expect, test } from '@jest/globals';
import { logNothing } from '@store/testbed';
import { standingBy } from '../src/kafka/groups.ts';

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
