/** An event that is too large does not block others (D201). */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTopics, eventBytesMax, KafkaTransport, type Message, MessageTooLarge, Relay, redrive } from '@store/events';
import { capturingLog, describeWithKafka, logNothing } from '@store/testbed';
import { openShop, type Shop } from './shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());
beforeEach(() => shop.clear());

const event = (id: number, bytes: number) => ({
  name: 'product.updated',
  aggregate: id,
  public: { resourceType: 'Product', resourceId: id, data: `"${'x'.repeat(bytes)}"` },
});

test('an event above 1 MB is a 422 that says why, and its change is rolled back', async () => {
  await expect(shop.emitted(event(1, 10), event(2, eventBytesMax))).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(
      /^Validation failed: the record is too large: its event product.updated would take 1000\d\d\d bytes, and at most 1000000 are allowed$/,
    ),
  });
  const audit = { action: 'a', resource_type: 'Product', resource_id: 1, before: null, after: { text: 'é'.repeat(eventBytesMax / 2) } };
  await expect(shop.emitted({ name: 'product.updated', aggregate: 1, audit })).rejects.toMatchObject({ status: 422 });
  expect(await shop.count('outbox')).toBe(0);
});

test('an event of almost 1 MB is accepted', async () => {
  await shop.emitted(event(1, eventBytesMax - 1_000));
  expect(await shop.relayed()).toHaveLength(1);
});

/** Refuses messages above one kilobyte, as a broker with that limit does. */
function smallBroker() {
  const taken: Message[] = [];
  return {
    taken,
    publish: async (batch: Message[]) => {
      for (const message of batch) {
        if (message.public!.length > 1_000) throw new MessageTooLarge(message.id);
        taken.push(message);
      }
    },
    subscribe: async () => undefined,
    stop: async () => undefined,
  };
}

test('a row that the broker refuses for its size is dead-lettered with a log line, and every other row is sent, in order', async () => {
  const ids = await shop.emitted(event(1, 10), event(2, 5_000), event(3, 10), event(4, 5_000), event(5, 10));
  const transport = smallBroker();
  const { log, lines } = capturingLog();
  const relay = new Relay({ url: shop.url, schema: 'shop', transport, log });
  await relay.drain();
  await relay.stop();
  const taken = [...new Set(transport.taken.map(({ id }) => id))];
  expect(taken).toEqual([ids[0], ids[2], ids[4]]);
  expect(await shop.count('outbox')).toBe(0);
  const { rows } = await shop.client.query('select event_id::text, topic, error from shop.dead_letters order by id');
  const error = 'MessageTooLarge: The broker refuses the message: it is too large';
  expect(rows).toEqual([ids[1], ids[3]].map((event_id) => ({ event_id, topic: 'shop.events', error })));
  expect(lines.map(({ msg, event_id }) => [msg, event_id])).toEqual(
    [ids[1], ids[3]].map((id) => ['An event was too large and went to dead_letters', id]),
  );
});

test('the dead letter is sent again unchanged, once the broker accepts it', async () => {
  const [id] = await shop.emitted(event(1, 5_000));
  const relay = new Relay({ url: shop.url, schema: 'shop', transport: smallBroker(), log: logNothing });
  await relay.drain();
  await relay.stop();
  expect(await redrive(shop.client, 'shop')).toMatchObject({ sent: 1 });
  const [message] = await shop.relayed();
  expect(message).toMatchObject({ id, name: 'product.updated', aggregate: '1' });
  expect(JSON.parse(message!.public!.toString())).toMatchObject({ id, data: 'x'.repeat(5_000) });
});

describeWithKafka('Kafka', (brokers) => {
  test('a message above the maximum of its topic is named, and the relay sends the others', async () => {
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
