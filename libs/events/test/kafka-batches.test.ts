/** How fetched messages are grouped into transactions, and when their offsets are committed. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createTopics, KafkaTransport, type Message, standingOf } from '@store/events';
import { describeWithKafka, logNothing } from '@store/testbed';
import { until } from '@store/testbed/until';
import { Gather } from '../src/kafka/gather.ts';
import { pauseAfter } from '../src/kafka/waits.ts';
import { message as anyMessage, idsOf } from './shop.ts';

const message = (aggregate: number | string) => anyMessage({ aggregate: String(aggregate) });

describe('gathering', () => {
  test('batches that come during a transaction go into the next one, each in its order', async () => {
    const batches: Message[][] = [];
    const first = Promise.withResolvers<void>();
    const gather = new Gather(async (batch) => {
      batches.push(batch);
      if (batches.length === 1) await first.promise;
    });
    const brought = [1, 2, 3, 4].map((partition) => [message(partition), message(partition)]);
    const together = [gather.add(brought[0]!), gather.add(brought[1]!)];
    while (batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
    together.push(gather.add(brought[2]!), gather.add(brought[3]!));
    first.resolve();
    await Promise.all(together);
    expect(batches.map(idsOf)).toEqual([idsOf(brought.slice(0, 2).flat()), idsOf(brought.slice(2).flat())]);
  });

  test('a transaction that fails rejects each of its batches, and the next one runs', async () => {
    let fails = true;
    const gather = new Gather(async () => {
      if (fails) throw new Error('not now');
    });
    const outcomes = await Promise.allSettled([gather.add([message(1)]), gather.add([message(2)])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    await gather.add([message(1)]);
  });

  test('a transaction has a limit: a batch that would exceed it waits for the next one', async () => {
    const sizes: number[] = [];
    const gather = new Gather(async (batch) => void sizes.push(batch.length));
    await Promise.all(Array.from({ length: 7 }, (_, n) => gather.add(Array.from({ length: 100 }, () => message(n)))));
    expect(sizes).toEqual([500, 200]);
  });
});

test.each([
  ['after a small batch until messages have come together', 100, 30, 0, 70],
  ['not after a small batch that took longer', 100, 130, 0, 0],
  ['in a backlog for as long as the batch took', 100, 30, 1, 30],
  ['in a backlog never longer than between small batches', 100, 900, 1, 100],
  ['never where a request waits for it', 0, 30, 0, 0],
  ['never where a request waits for it, in a backlog too', 0, 30, 1, 0],
])('a group pauses %s', (_when, lingerMs, tookMs, behind, pauseMs) => {
  expect(pauseAfter({ lingerMs, tookMs, behind })).toBe(pauseMs);
});

describeWithKafka('offsets', (brokers) => {
  const neverMs = 600_000;
  /** Topics of this suite only: a group reads a topic from its beginning. */
  const prefix = `batches-${randomUUID()}.`;
  const open = (clientId: string, commitEveryMs = neverMs) =>
    new KafkaTransport({ brokers, prefix, clientId, commitEveryMs, log: logNothing, onFatal: () => undefined });
  const topics = ['catalog.events'];

  async function collect(transport: KafkaTransport, group: string, seen: Message[], lingerMs = 0): Promise<Message[][]> {
    const batches: Message[][] = [];
    const handle = async (batch: Message[]) => {
      batches.push(batch);
      seen.push(...batch);
    };
    await transport.subscribe({ group, topics, lingerMs: () => lingerMs, handle });
    return batches;
  }

  const behind = async (group: string) => (await standingOf({ brokers, prefix, group, topics, log: logNothing })).behind;
  const has = (seen: Message[], sent: Message[]) => sent.every(({ id }) => seen.some((one) => one.id === id));

  beforeAll(() => createTopics({ brokers, prefix, partitions: 3, replicas: 1, log: logNothing }));

  test.each([
    ['when the consumer stops', neverMs],
    ['at intervals', 50],
  ])('are committed %s: nothing is delivered again', async (_when, commitEveryMs) => {
    const group = randomUUID();
    const transport = open('commits', commitEveryMs);
    const seen: Message[] = [];
    await collect(transport, group, seen);
    const sent = [message(1), message(2), message(3)];
    await transport.publish(sent);
    await until(() => has(seen, sent));
    if (commitEveryMs === neverMs) expect(await behind(group)).toBeGreaterThan(0);
    else await until(async () => (await behind(group)) === 0);
    await transport.stop();
    expect(await behind(group)).toBe(0);
  });

  test('are committed before partitions move: the next member repeats nothing', async () => {
    const group = `rebalance-${randomUUID()}`;
    const [first, second] = [open('first'), open('second')];
    const seen: Message[] = [];
    await collect(first, group, seen);
    const sent = Array.from({ length: 30 }, (_, n) => message(n));
    await first.publish(sent);
    await until(() => has(seen, sent));
    const seenBySecond: Message[] = [];
    await collect(second, group, seenBySecond);
    const later = Array.from({ length: 30 }, (_, n) => message(`later-${n}`));
    await first.publish(later);
    await until(() => has([...seen, ...seenBySecond], later));
    expect(seenBySecond.filter(({ id }) => idsOf(sent).includes(id))).toEqual([]);
    await Promise.all([first.stop(), second.stop()]);
  });

  test('a group that lingers handles the first message at once, later ones together', async () => {
    const group = `linger-${randomUUID()}`;
    const transport = open('lingers');
    const seen: Message[] = [];
    const batches = await collect(transport, group, seen, 1_500);
    const [one, two, three] = [message('x'), message('x'), message('x')];
    await transport.publish([one]);
    await until(() => has(seen, [one]));
    const before = batches.length;
    await transport.publish([two]);
    await transport.publish([three]);
    await until(() => has(seen, [two, three]));
    expect(batches.slice(before).map(idsOf)).toEqual([[two.id, three.id]]);
    await transport.stop();
  });
});
