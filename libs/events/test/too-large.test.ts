/** An event that is too large does not block others (D201). */
import { describe, expect, test } from '@jest/globals';
import { createTopics, eventBytesMax, KafkaTransport, type Message, MessageTooLarge, redrive } from '@store/events';
import { capturingLog, describeWithKafka, logNothing } from '@store/testbed';
import { until } from '@store/testbed/until';
import { withClient } from '@store/testbed/with-client';
import { idsOf, shareShop, shop } from './shop.ts';

shareShop();

const event = (id: number, bytes: number) => ({
  name: 'product.updated',
  aggregate: id,
  public: { resourceType: 'Product', resourceId: id, data: `"${'x'.repeat(bytes)}"` },
});

test('an event above 1 MB is a 422 that rolls its change back', async () => {
  await expect(shop.emitted(event(1, 10), event(2, eventBytesMax))).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(
      /^Validation failed: the record is too large: its event product.updated would take 1000\d\d\d bytes, and at most 1000000 are allowed$/,
    ),
  });
  const audit = { action: 'a', resource_type: 'Product', resource_id: 1, before: null, after: { text: 'é'.repeat(eventBytesMax / 2) } };
  await expect(shop.emitted({ name: 'product.updated', aggregate: 1, audit })).rejects.toMatchObject({ status: 422 });
  expect(await shop.count('outbox')).toBe(0);
  await shop.emitted(event(1, eventBytesMax - 1_000));
  expect(await shop.relayed()).toHaveLength(1);
});

test('a row that the broker refuses for its size is dead-lettered, others are sent', async () => {
  const ids = await shop.emitted(event(1, 10), event(2, 5_000), event(3, 10), event(4, 5_000), event(5, 10));
  const taken: Message[] = [];
  const { log, lines } = capturingLog();
  // As a broker whose limit is one kilobyte.
  const publish = async (batch: Message[]) => {
    for (const message of batch) {
      if (message.public!.length > 1_000) throw new MessageTooLarge(message.id);
      taken.push(message);
    }
  };
  await shop.drain(publish, { log });
  expect([...new Set(idsOf(taken))]).toEqual([ids[0], ids[2], ids[4]]);
  expect(await shop.count('outbox')).toBe(0);
  const refused = [ids[1], ids[3]];
  const error = 'MessageTooLarge: The broker refuses the message: it is too large';
  const letters = await shop.rows('select event_id::text, topic, error from shop.dead_letters order by id');
  expect(letters).toEqual(refused.map((event_id) => ({ event_id, topic: 'shop.events', error })));
  expect(lines.map(({ msg, event_id }) => [msg, event_id])).toEqual(
    refused.map((id) => ['An event was too large and went to dead_letters', id]),
  );
  // Sent again unchanged, once the broker accepts it.
  expect(await redrive(shop.client, 'shop')).toMatchObject({ sent: 2 });
  const [message] = await shop.relayed();
  expect(message).toMatchObject({ id: ids[1], name: 'product.updated', aggregate: '2' });
  expect(JSON.parse(message!.public!.toString())).toMatchObject({ id: ids[1], data: 'x'.repeat(5_000) });
});

describe('a relay that is cut off between the letter of a refused row and its deletion', () => {
  const refuse = async ([message]: Message[]) => {
    throw new MessageTooLarge(message!.id);
  };
  const left = async () => ({ rows: await shop.count('outbox'), letters: await shop.count('dead_letters') });

  /** The row is locked by another transaction, so that the relay's deletion waits when its session ends. */
  async function cutOff(): Promise<string> {
    const [id] = await shop.emitted(event(1, 5_000));
    const drained = expect(withOpen('select from shop.outbox for update', () => shop.drain(refuse))).rejects.toThrow();
    await until(async () => (await shop.count('dead_letters')) === 1);
    await shop.rows(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and application_name = 'store-shop-relay'`,
    );
    await drained;
    expect(await left()).toEqual({ rows: 1, letters: 1 });
    return id!;
  }

  test('sets it aside again, with one letter', async () => {
    const id = await cutOff();
    await shop.drain(refuse);
    expect(await left()).toEqual({ rows: 0, letters: 1 });
    expect(await redrive(shop.client, 'shop')).toMatchObject({ sent: 1 });
    expect(idsOf(await shop.relayed())).toEqual([id]);
  });

  test('sends it if the broker takes it by then, and a redrive repeats nothing', async () => {
    const id = await cutOff();
    const first = await shop.relayed();
    expect(idsOf(first)).toEqual([id]);
    expect(await left()).toEqual({ rows: 0, letters: 1 });
    await redrive(shop.client, 'shop');
    const take = shop.consumer();
    for (const batch of [first, await shop.relayed()]) await take(batch);
    expect(await shop.effects()).toEqual(['product.updated']);
    expect(await left()).toEqual({ rows: 0, letters: 1 });
  });
});

/** Runs `work` while another transaction holds what the statement locked. */
async function withOpen<T>(statement: string, work: () => Promise<T>): Promise<T> {
  return withClient(shop.url, async (client) => {
    await client.query('begin');
    await client.query(statement);
    return work();
  });
}

describeWithKafka('Kafka', (brokers) => {
  test('a message above the maximum of its topic is named, the others are sent', async () => {
    await createTopics({ brokers, partitions: 3, replicas: 1, log: logNothing });
    const transport = new KafkaTransport({ brokers, clientId: 'too-large', log: logNothing, onFatal: () => undefined });
    const [small] = await shop.emitted(event(1, 10), event(2, 10), event(3, 10));
    const messages = (await shop.relayed()).map((message) => ({ ...message, topic: 'catalog.events' }));
    const large = { ...messages[1]!, public: Buffer.alloc(9 * 1024 * 1024, 'x') };
    await expect(transport.publish([messages[0]!, large, messages[2]!])).rejects.toMatchObject({ name: 'MessageTooLarge', id: large.id });
    await transport.publish(messages.filter(({ id }) => id !== large.id));
    expect(small).toBe(messages[0]!.id);
    await transport.stop();
  });
});
