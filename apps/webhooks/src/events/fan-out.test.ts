import { describe, expect, test } from '@jest/globals';
import { shareWebhooks, webhooks } from '../../test/shared-webhooks.ts';
import { event, goodUrl, keyCaller } from '../../test/webhooks-under-test.ts';
import { consumeEvents } from '../consume-events.ts';

shareWebhooks();

interface Page {
  events: { sequence: number; id: string; event: string; data: unknown }[];
  next_after: number;
  has_more: boolean;
}
const list = (query = '', caller = keyCaller()) => webhooks.query<Page>('ListEvents', query, caller);

describe('the event log', () => {
  test("numbers each store's events from 1 without a gap, in the order of arrival", async () => {
    const [a, b, c, other] = [event(), event(), event(), event({ storeId: 2 })];
    await webhooks.publish(a, other, b);
    await webhooks.publish(c);
    const page = await list();
    expect(page.events.map(({ sequence, id }) => [sequence, id])).toEqual([
      [1, a.id],
      [2, b.id],
      [3, c.id],
    ]);
    expect((await list('', keyCaller({ storeId: 2 }))).events.map(({ sequence, id }) => [sequence, id])).toEqual([[1, other.id]]);
  });

  test('shows the body byte for byte, with the sequence before it', async () => {
    const odd = event({ data: '{"price":"1.10","n":1.0,"big":9007199254740993,"text":"\\u00e9 é\\n"}' });
    await webhooks.publish(odd);
    const text = await webhooks.text('ListEvents', {}, keyCaller());
    expect(text).toBe(`{"events":[{"sequence":1,${odd.public!.toString().slice(1)}],"next_after":1,"has_more":false,"latest_sequence":1}`);
  });

  test('D178: pages by sequence; next_after of the last page is the end of the log, filtered or not', async () => {
    await webhooks.publish(...[1, 2, 3, 4, 5].map(() => event()), event({ name: 'product.deleted' }), event());
    const first = await list('after=1&per_page=2');
    expect(first).toMatchObject({ next_after: 3, has_more: true });
    expect(first.events.map(({ sequence }) => sequence)).toEqual([2, 3]);
    const rest = await list(`after=${first.next_after}`);
    expect(rest.events.map(({ sequence }) => sequence)).toEqual([4, 5, 6, 7]);
    expect(rest).toMatchObject({ next_after: 7, has_more: false });
    const deleted = await list('types=product.deleted,sale.voided');
    await expect(list(`types=${Array.from({ length: 51 }, () => 'sale.voided').join(',')}`)).rejects.toMatchObject({ kind: 'invalid' });
    expect(deleted.events.map(({ sequence }) => sequence)).toEqual([6]);
    expect(deleted).toMatchObject({ next_after: 7, has_more: false });
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

describe('a repeated message', () => {
  test('changes nothing, in one batch, in two, or at once', async () => {
    await webhooks.subscribe();
    const [a, b] = [event(), event()];
    await webhooks.publish(a, a, b);
    await webhooks.publish(b, a);
    const c = event();
    await Promise.all([1, 2, 3, 4].map(() => webhooks.publish(c)));
    expect((await webhooks.deliveries()).map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect((await list()).events).toHaveLength(3);
  });

  test('changes nothing although the inbox has long forgotten it (P4)', async () => {
    await webhooks.subscribe();
    const batch = Array.from({ length: 20 }, () => event());
    await webhooks.publish(...batch);
    await webhooks.loop.drain();
    for (let rewind = 0; rewind < 5; rewind++) {
      await webhooks.rows('delete from webhooks.inbox');
      await webhooks.publish(...batch.slice(0, 7));
      await webhooks.publish(...batch);
      await webhooks.loop.drain();
    }
    expect(webhooks.received).toHaveLength(20);
    expect((await list()).events).toHaveLength(20);
  });
});

describe('the recipients of an event', () => {
  test('are all active subscriptions of the store to that event, of any key, with the same body', async () => {
    const mine = await webhooks.subscribe();
    await webhooks.subscribe({ events: ['product.created', 'product.updated'] }, keyCaller({ actor: { keyId: 13 } }));
    await webhooks.subscribe({ events: ['product.created'] });
    await webhooks.subscribe({}, keyCaller({ storeId: 2 }));
    await webhooks.patch((await webhooks.subscribe()).id, { active: false });
    await webhooks.id('DeleteSubscription', (await webhooks.subscribe()).id);
    const updated = event();
    await webhooks.publish(updated);
    await webhooks.loop.drain();
    expect(webhooks.received).toHaveLength(2);
    expect(new Set(webhooks.received.map(({ body }) => body.toString('hex')))).toEqual(new Set([updated.public!.toString('hex')]));
    expect(new Set(webhooks.received.map(({ headers }) => headers['X-Service-Delivery']))).toEqual(new Set([updated.id]));
    expect(mine.url).toBe(goodUrl);
  });

  test('are none if the event is not public', async () => {
    await webhooks.subscribe();
    await webhooks.publish(event({ public: null, name: 'store.changed' }));
    expect(await webhooks.deliveries()).toEqual([]);
    expect((await list()).events).toEqual([]);
  });
});

test('P7: a missing body, one of another event or an unknown name is dead-lettered, and the rest is delivered', async () => {
  await webhooks.subscribe();
  const good = [event(), event()];
  const bad = [
    event({ public: Buffer.from('{"id":') }),
    event({ public: Buffer.from('null') }),
    event({ name: 'store.exploded' }),
    { ...event(), id: '00000000-0000-4000-8000-000000000001' },
  ];
  await webhooks.publish(good[0]!, ...bad, good[1]!);
  await webhooks.loop.drain();
  expect(webhooks.received.map(({ headers }) => headers['X-Service-Delivery'])).toEqual(good.map(({ id }) => id));
  const deadLetters = await webhooks.rows<{ event_id: string }>('select event_id::text from webhooks.dead_letters order by id');
  expect(deadLetters.map((row) => row.event_id)).toEqual(bad.map(({ id }) => id));
  expect((await list()).events.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('the consumer rests between batches only while no subscription has lately wanted an event', async () => {
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

test('dispatchers are notified of new deliveries, and not of repeated events or events without subscribers', async () => {
  await webhooks.publish(event({ name: 'category.updated' }));
  expect(webhooks.state.wakes).toBe(0);
  await webhooks.subscribe({ events: ['product.updated'] });
  webhooks.state.wakes = 0;
  const wanted = event();
  await webhooks.publish(wanted);
  expect(webhooks.state.wakes).toBe(1);
  await webhooks.publish(wanted);
  expect(webhooks.state.wakes).toBe(1);
});
