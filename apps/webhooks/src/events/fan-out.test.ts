import { describe, expect, test } from '@jest/globals';
import { event, events, keyCaller, shareWebhooks, webhooks } from '../../test/webhooks-under-test.ts';
import { consumeEvents } from '../consume-events.ts';

shareWebhooks();

const list = (query = '', caller = keyCaller()) => webhooks.query('ListEvents', query, caller);
const sequences = (page: { events: { sequence: number }[] }) => page.events.map(({ sequence }) => sequence);
const numbered = async (caller = keyCaller()) =>
  (await list('', caller)).events.map(({ sequence, id }: { sequence: number; id: string }) => [sequence, id]);

describe('the event log', () => {
  test("numbers each store's events from 1 without a gap, in the order of arrival", async () => {
    const [a, b, c, other] = [event(), event(), event(), event({ storeId: 2 })];
    await webhooks.publish(a, other, b);
    await webhooks.publish(c);
    expect(await numbered()).toEqual([a, b, c].map(({ id }, index) => [index + 1, id]));
    expect(await numbered(keyCaller({ storeId: 2 }))).toEqual([[1, other.id]]);
  });

  test('shows the body byte for byte, with the sequence before it', async () => {
    const odd = event({ data: '{"price":"1.10","n":1.0,"big":9007199254740993,"text":"\\u00e9 é\\n"}' });
    await webhooks.publish(odd);
    const text = await webhooks.text('ListEvents', {}, keyCaller());
    expect(text).toBe(`{"events":[{"sequence":1,${odd.public!.toString().slice(1)}],"next_after":1,"has_more":false,"latest_sequence":1}`);
  });

  test('D178: pages by sequence; the last next_after is the end of the log', async () => {
    await webhooks.publish(...events(5), event({ name: 'product.deleted' }), event());
    const first = await list('after=1&per_page=2');
    expect(first).toMatchObject({ next_after: 3, has_more: true });
    expect(sequences(first)).toEqual([2, 3]);
    const second = await list(`after=${first.next_after}`);
    expect(second).toMatchObject({ next_after: 7, has_more: false });
    expect(sequences(second)).toEqual([4, 5, 6, 7]);
    const deleted = await list('types=product.deleted,sale.voided');
    expect(deleted).toMatchObject({ next_after: 7, has_more: false });
    expect(sequences(deleted)).toEqual([6]);
    await expect(list(`types=${Array.from({ length: 51 }, () => 'sale.voided').join(',')}`)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await list('after=7')).toEqual({ events: [], next_after: 7, has_more: false, latest_sequence: 7 });
    expect(await list('', keyCaller({ storeId: 99 }))).toEqual({ events: [], next_after: 0, has_more: false, latest_sequence: 0 });
  });

  test.each(['x', '-1', '1.5', '99999999999999999999', '1e3'])('an after of %s is refused, not taken for the beginning', async (after) => {
    await expect(list(`after=${after}`)).rejects.toMatchObject({ status: 422, message: 'after must be a valid sequence' });
  });

  test('shows nothing older than 30 days', async () => {
    await webhooks.publish(event());
    webhooks.clock.advance(30 * 86_400_000 + 1);
    expect(await list()).toEqual({ events: [], next_after: 1, has_more: false, latest_sequence: 1 });
  });
});

test('P4: a repeated message changes nothing, also once the inbox has forgotten it', async () => {
  await webhooks.subscribe();
  const batch = events(20);
  await webhooks.deliver(batch[0]!, ...batch);
  const last = event();
  await Promise.all([1, 2, 3, 4].map(() => webhooks.publish(last)));
  for (let rewind = 0; rewind < 5; rewind++) {
    await webhooks.publish(...batch.slice(0, 7));
    await webhooks.deliver(...batch);
    await webhooks.rows('delete from webhooks.inbox');
  }
  expect(sequences(await list())).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  expect(webhooks.received).toHaveLength(21);
});

describe('the recipients of an event', () => {
  test('are all active subscriptions of the store to that event, with the same body', async () => {
    await webhooks.subscribe();
    await webhooks.subscribe({ events: ['product.created', 'product.updated'] }, keyCaller({ actor: { keyId: 13 } }));
    await webhooks.subscribe({ events: ['product.created'] });
    await webhooks.subscribe({}, keyCaller({ storeId: 2 }));
    await webhooks.patch((await webhooks.subscribe()).id, { active: false });
    await webhooks.id('DeleteSubscription', (await webhooks.subscribe()).id);
    const updated = event();
    await webhooks.deliver(updated);
    expect(webhooks.received.map(({ body }) => body.toString())).toEqual(Array(2).fill(updated.public!.toString()));
    expect(webhooks.headers('X-Service-Delivery')).toEqual([updated.id, updated.id]);
  });

  test('are none if the event is not public', async () => {
    await webhooks.subscribe();
    await webhooks.publish(event({ public: null, name: 'store.changed' }));
    expect([await webhooks.deliveries(), (await list()).events]).toEqual([[], []]);
  });
});

test('P7: a bad body is dead-lettered, and the others are delivered', async () => {
  await webhooks.subscribe();
  const good = events(2);
  const bad = [
    event({ public: Buffer.from('{"id":') }),
    event({ public: Buffer.from('null') }),
    event({ name: 'store.exploded' }),
    { ...event(), id: '00000000-0000-4000-8000-000000000001' },
  ];
  await webhooks.deliver(good[0]!, ...bad, good[1]!);
  expect(webhooks.headers('X-Service-Delivery')).toEqual(good.map(({ id }) => id));
  expect(await webhooks.rows('select event_id::text as id from webhooks.dead_letters d order by d.id')).toEqual(
    bad.map(({ id }) => ({ id })),
  );
  expect(sequences(await list())).toEqual([1, 2]);
});

test('the consumer pauses between batches only while no subscription wants its events', async () => {
  const consumer = consumeEvents(webhooks.app);
  const take = () => webhooks.db.unit(0, (em) => consumer.handle(em, [event()]));
  await take();
  expect(consumer.lingerMs!()).toBe(250);
  await webhooks.subscribe();
  await take();
  expect(consumer.lingerMs!()).toBe(0);
  webhooks.clock.advance(10_000);
  expect(consumer.lingerMs!()).toBe(250);
});

test('dispatchers are notified of new deliveries, not of repeated or unwanted events', async () => {
  const wakes: number[] = [];
  const publish = async (message = event()) => {
    await webhooks.publish(message);
    wakes.push(webhooks.state.wakes);
  };
  await publish(event({ name: 'product.deleted' }));
  await webhooks.subscribe();
  const wanted = event();
  await publish(wanted);
  await publish(wanted);
  expect(wakes).toEqual([0, 1, 1]);
});
