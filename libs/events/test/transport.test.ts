/** One suite for both transports: the guarantees that a relay and a consumer rely on. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTopics, InProcessTransport, type KafkaOptions, KafkaTransport, type Message, type Transport } from '@store/events';
import { describeWithKafka, logNothing } from '@store/testbed';
import { message as anyMessage, idsOf } from './shop.ts';

const message = (aggregate: number, changes: Partial<Message> = {}) =>
  anyMessage({
    aggregate: String(aggregate),
    public: Buffer.from(`{"id":"é\u2028 ${aggregate}"}`),
    internal: { stock: { product_id: aggregate, stock: '1.000', version: 1 } },
    actor: { type: 'key', key: { id: 1, name: 'Clé' }, user: { id: 2, name: 'Ada' } },
    ...changes,
  });

/** Collects the messages of `ids` that a group receives; `all` resolves once it has received every one. */
async function collect(transport: Transport, group: string, ids: string[], accept: (batch: Message[]) => void = () => undefined) {
  const seen: Message[] = [];
  const missing = new Set(ids);
  const all = Promise.withResolvers<void>();
  const handle = async (batch: Message[]) => {
    accept(batch);
    seen.push(...batch.filter(({ id }) => ids.includes(id)));
    for (const { id } of batch) missing.delete(id);
    if (missing.size === 0) all.resolve();
  };
  await transport.subscribe({ group, topics: ['catalog.events'], handle });
  return { seen, all: all.promise };
}

const bare = ({ at: _at, ...rest }: Message) => rest;

function suite(open: () => Promise<Transport>, tag: () => string): void {
  let transport: Transport;
  beforeAll(async () => {
    transport = await open();
  });
  afterAll(() => transport.stop());

  test('a message arrives as it was published, its bytes unchanged', async () => {
    const sent = [message(1), message(2, { public: null, internal: null })];
    const { seen, all } = await collect(transport, `${tag()}-bytes`, idsOf(sent));
    await transport.publish(sent);
    await all;
    expect(seen.map(bare).sort((a, b) => Number(a.aggregate) - Number(b.aggregate))).toEqual(sent.map(bare));
  });

  test('the order of one record is kept, in every group', async () => {
    const sent = Array.from({ length: 300 }, (_, index) => message(100 + (index % 7), { requestId: `order-${index}` }));
    const groups = await Promise.all([`${tag()}-order-a`, `${tag()}-order-b`].map((group) => collect(transport, group, idsOf(sent))));
    for (let start = 0; start < sent.length; start += 50) await transport.publish(sent.slice(start, start + 50));
    await Promise.all(groups.map(({ all }) => all));
    for (const { seen } of groups) {
      for (let record = 100; record < 107; record++) {
        const ofRecord = (messages: Message[]) => idsOf(messages.filter(({ aggregate }) => aggregate === String(record)));
        expect(ofRecord(seen)).toEqual(ofRecord(sent));
      }
    }
  });

  test('a batch that could not be handled is delivered again', async () => {
    let failures = 2;
    const sent = message(9);
    const { seen, all } = await collect(transport, `${tag()}-again`, [sent.id], (batch) => {
      if (failures > 0 && batch.some(({ id }) => id === sent.id)) {
        failures -= 1;
        throw new Error('not now');
      }
    });
    // In process the publish rejects and the relay publishes the batch again; Kafka keeps the batch itself.
    for (let published = false; !published; ) {
      published = await transport.publish([sent]).then(
        () => true,
        (error: Error) => error.message !== 'not now',
      );
    }
    await all;
    expect(idsOf(seen)).toEqual([sent.id]);
    expect(failures).toBe(0);
  });
}

describe('in process', () => {
  suite(
    async () => new InProcessTransport(),
    () => 'here',
  );
});

describeWithKafka('Kafka', (brokers) => {
  const run = randomUUID().slice(0, 8);
  const open = (options: Partial<KafkaOptions> = {}) =>
    new KafkaTransport({ brokers, clientId: 'suite', log: logNothing, onFatal: () => undefined, ...options });
  suite(
    async () => {
      await createTopics({ brokers, partitions: 3, replicas: 1, log: logNothing });
      return open();
    },
    () => run,
  );

  test('a batch larger than a broker takes at once arrives whole and in order', async () => {
    const transport = open();
    const sent = Array.from({ length: 300 }, () => message(500, { public: Buffer.alloc(10_000, 'x') }));
    sent.push(message(500, { public: Buffer.alloc(2_000_000, 'y') }));
    const { seen, all } = await collect(transport, `${run}-large`, idsOf(sent));
    await transport.publish(sent);
    await all;
    expect(idsOf(seen)).toEqual(idsOf(sent));
    await transport.stop();
  });

  test('how far the slowest group is behind, those that never came included', async () => {
    const prefix = `${run}.behind.`;
    await createTopics({ brokers, prefix, partitions: 3, replicas: 1, log: logNothing });
    const transport = open({ prefix, commitEveryMs: 10 });
    try {
      const sent = Array.from({ length: 30 }, (_, n) => message(n));
      const { all } = await collect(transport, 'quick', idsOf(sent));
      await transport.publish(sent);
      await all;
      const behind = (...groups: string[]) => transport.behind('catalog.events', groups);
      while ((await behind('quick')) > 0);
      expect(await behind('quick', 'never')).toBe(30);
    } finally {
      await transport.stop();
    }
  });

  test('a message that cannot be read is passed on so, and the next one arrives', async () => {
    const { Kafka, Partitioners, logLevel } = await import('kafkajs');
    const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer({ createPartitioner: Partitioners.DefaultPartitioner });
    await producer.connect();
    const transport = open();
    const good = message(77);
    const found: Message[] = [];
    const arrived = Promise.withResolvers<void>();
    const handle = async (batch: Message[]) => {
      found.push(...batch);
      if (batch.some(({ id }) => id === good.id)) arrived.resolve();
    };
    await transport.subscribe({ group: `${run}-poison`, topics: ['webhooks.events'], handle });
    await producer.send({ topic: 'webhooks.events', messages: [{ key: '1:77', value: 'no headers' }] });
    await transport.publish([{ ...good, topic: 'webhooks.events' }]);
    await arrived.promise;
    const poison = found.find(({ unreadable }) => unreadable !== undefined)!;
    expect(poison).toMatchObject({ unreadable: 'the header id is missing', public: Buffer.from('no headers'), storeId: 0 });
    expect(poison.id).toMatch(/^[0-9a-f-]{36}$/);
    await producer.disconnect();
    await transport.stop();
  });
});
