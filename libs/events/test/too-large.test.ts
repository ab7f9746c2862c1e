/** An event that is too large does not block others (D201). */
import { expect, test } from '@jest/globals';
import { createTopics, eventBytesMax, KafkaTransport, type Message, MessageTooLarge, redrive } from '@store/events';
import { capturingLog, describeWithKafka, logNothing } from '@store/testbed';
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
