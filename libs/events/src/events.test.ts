import { describe, expect, jest, test } from '@jest/globals';
import { type Db, type EntityManager, sql } from '@store/db';
import { capturingLog, RecordingTransport, SetClock, testCaller } from '@store/testbed';
import pg from 'pg';
import { namesOf, shareShop, shop, writeEffects } from '../test/shop.ts';
import type { Message } from './message.ts';
import { emit } from './outbox/emit.ts';
import type { Relay } from './outbox/relay.ts';

shareShop();

const caller = testCaller();
const fact = (name: string, aggregate: number | string = 1) => ({ name, aggregate });
const facts = (names: string[]) => names.map((name) => fact(name));

describe('emit', () => {
  test('of a change that is rolled back leaves no event and notifies nobody', async () => {
    let woken = 0;
    const failing = shop.db.unit(1, async (em) => {
      await emit(em, { db: shop.db, wake: () => void woken++ }, caller, [fact('item.changed')]);
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    expect([await shop.relayed(), woken]).toEqual([[], 0]);
  });

  test('builds the webhook body once, as bytes, with the data as rendered', async () => {
    const data = '{"id":7,"price":"1.10","name":"Lantern — \\"white\\""}';
    const createdAt = '2026-11-20T12:00:00.250Z';
    let woken = 0;
    const outbox = { db: { ...shop.db, clock: new SetClock(createdAt) }, wake: () => void woken++ };
    const event = { ...fact('product.updated', 7), public: { resourceType: 'Product', resourceId: 7, data } };
    const [id] = await shop.db.unit(1, (em) => emit(em, outbox, caller, [event]));
    const [message] = await shop.relayed();
    expect(message!.public!.toString()).toBe(
      `{"id":"${id}","event":"product.updated","resource_type":"Product","resource_id":7,"created_at":"${createdAt}","data":${data}}`,
    );
    expect(message).toMatchObject({ id, topic: 'shop.events', storeId: 1, aggregate: '7', createdAt, requestId: 'test-request' });
    expect(woken).toBe(1);
  });

  test('records the key and who created it, and keeps data for services out of the body', async () => {
    const audit = { action: 'brand.create', resource_type: 'Brand', resource_id: 3, before: null, after: { name: 'A' } };
    await shop.emitted({ ...fact('brand.created'), audit });
    const actor = { type: 'key', key: { id: 12, name: 'Till sync' }, user: { id: 3, name: 'Ada Admin' } };
    expect((await shop.relayed())[0]).toMatchObject({ public: null, internal: { audit: { ...audit, ip: '203.0.113.7' } }, actor });
  });
});

describe('the relay', () => {
  test('loses no event of 8 concurrent writers, and keeps the order of each record', async () => {
    const transport = new RecordingTransport();
    const relay = shop.relay(transport, { pollMs: 5, batchMax: 7 });
    relay.start();
    const writes = 40;
    await shop.rows('insert into shop.items select n, 0 from generate_series(1, 5) n');
    const bump = (writer: number, step: number) =>
      shop.db.unit(1, async (em) => {
        const id = ((writer * 7 + step * 3) % 5) + 1;
        const text = 'update shop.items set quantity = quantity + 1 where id = $1 returning quantity';
        const [item] = await sql<{ quantity: number }>(em, text, [id]);
        await emit(em, { db: shop.db, wake: () => relay.wake() }, caller, [fact(`quantity.${item!.quantity}`, id)]);
        // Ids commit out of order: some transactions stay open while later ids are read and deleted.
        if ((writer + step) % 3 === 0) await sql(em, 'select pg_sleep(0.004)');
      });
    const work = async (writer: number) => {
      for (let step = 0; step < writes; step++) await bump(writer, step);
    };
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(work));
    await shop.untilEmpty(relay);
    expect(transport.messages).toHaveLength(8 * writes);
    expect(new Set(transport.messages.map(({ id }) => id)).size).toBe(8 * writes);
    for (const own of Map.groupBy(transport.messages, ({ aggregate }) => aggregate).values())
      expect(namesOf(own)).toEqual(own.map((_message, index) => `quantity.${index + 1}`));
  });

  test('publishes an event that committed after a later one was published', async () => {
    await shop.db.unit(1, async (em) => {
      await emit(em, shop.outbox, caller, [fact('late')]);
      await shop.emitted(fact('early'));
      expect(namesOf(await shop.relayed())).toEqual(['early']);
    });
    expect(namesOf(await shop.relayed())).toEqual(['late']);
  });

  test('keeps rows until they are acknowledged, and sends the same ids and bytes again', async () => {
    await shop.emitted({ ...fact('a'), public: { resourceType: 'Item', resourceId: 1, data: '{}' } });
    const tried: Message[] = [];
    const refuse = async (batch: Message[]) => {
      tried.push(...batch);
      throw new Error('broker down');
    };
    await expect(shop.drain(refuse)).rejects.toThrow('broker down');
    expect(await shop.count('outbox')).toBe(1);
    expect(await shop.relayed()).toEqual(tried);
    expect(await shop.count('outbox')).toBe(0);
  });

  test('pauses after each full batch of a backlog as its pace determines', async () => {
    await shop.put(1, 50);
    let pauses = 0;
    const pauseMs = async () => ++pauses;
    const transport = new RecordingTransport();
    const relay = shop.relay(transport, { batchMax: 10, pace: { pauseMs } });
    await relay.drain();
    expect([pauses, transport.messages.length]).toEqual([5, 50]);
    await relay.stop();
  });

  test('reads the outbox once for a change, and waits for no disk to delete it', async () => {
    const query = jest.spyOn(pg.Client.prototype, 'query');
    const asked = (part: string) =>
      query.mock.calls.filter(([given]) => ((given as unknown as { text?: string }).text ?? String(given)).includes(part));
    const reads = () => asked('order by outbox.id limit');
    const transport = new RecordingTransport();
    const relay = shop.relay(transport, { pollMs: 600_000 });
    try {
      relay.start();
      while (reads().length === 0) await new Promise((resolve) => setImmediate(resolve));
      await shop.db.unit(1, (em) => emit(em, { db: shop.db, wake: () => relay.wake() }, caller, [fact('one')]));
      await shop.untilEmpty(relay);
      // One at its start, which may find the change already.
      expect(reads().length).toBeLessThanOrEqual(2);
      expect(asked('synchronous_commit = off')).toHaveLength(1);
    } finally {
      query.mockRestore();
    }
    expect(namesOf(transport.messages)).toEqual(['one']);
  });

  test('is one per schema: a second waits and takes over when the first stops', async () => {
    const [one, other] = [new RecordingTransport(), new RecordingTransport()];
    const [leader, standby] = [one, other].map((transport) => shop.relay(transport, { pollMs: 5 })) as [Relay, Relay];
    await leader.drain();
    standby.start();
    await shop.emitted(fact('first'));
    await leader.drain();
    expect([one.messages.length, other.messages.length]).toEqual([1, 0]);
    await leader.stop();
    await shop.emitted(fact('second'));
    await shop.untilEmpty(standby);
    expect(namesOf(other.messages)).toEqual(['second']);
  });
});

describe('a consumer', () => {
  const messages = async (...names: string[]) => {
    await shop.emitted(...facts(names));
    return shop.relayed();
  };

  test('finds the bad messages of a large batch in few transactions, and keeps the order', async () => {
    const names = Array.from({ length: 256 }, (_, n) => (n === 37 || n === 200 ? 'poison' : `m${n}`));
    const batch = await messages(...names);
    let transactions = 0;
    const unit: Db['unit'] = (...asked) => {
      transactions += 1;
      return shop.db.unit(...asked);
    };
    await shop.consumer({ db: { ...shop.db, unit } })(batch);
    expect(await shop.effects()).toEqual(names.filter((name) => name !== 'poison'));
    expect(await shop.count('dead_letters')).toBe(2);
    expect(transactions).toBeLessThan(50);
  });

  test('handles a message once that comes again, in one batch, in two, or at once', async () => {
    const take = shop.consumer();
    const [a, b] = (await messages('a', 'b')) as [Message, Message];
    await take([a, b, a]);
    await take([b, b, a]);
    await Promise.all([take([a, b]), take([a, b])]);
    expect(await shop.effects()).toEqual(['a', 'b']);
  });

  test('writes nothing for messages that do not concern it', async () => {
    const took: number[] = [];
    const take = shop.consumer({ wants: ({ name }) => name !== 'unwanted', took: (taken) => void took.push(taken.length) });
    await take(await messages('unwanted'));
    expect([await shop.count('inbox'), await shop.count('effects')]).toEqual([0, 0]);
    await take(await messages('unwanted', 'a', 'b'));
    expect(took).toEqual([0, 2]);
  });

  test('dead-letters a poison message after 5 tries, and handles the others in order', async () => {
    const { log, lines } = capturingLog();
    let tries = 0;
    const handle = async (em: EntityManager, batch: Message[]) => {
      if (batch.length === 1 && batch[0]!.name === 'poison') tries += 1;
      await writeEffects(em, batch);
    };
    const batch = await messages('a', 'poison', 'b', 'c');
    await shop.consumer({ handle, log })(batch);
    expect(await shop.effects()).toEqual(['a', 'b', 'c']);
    expect(tries).toBe(5);
    const { id: event_id } = batch[1]!;
    expect(await shop.rows('select event_id::text, topic, message, error from shop.dead_letters')).toEqual([
      { event_id, topic: 'shop.events', message: expect.objectContaining({ name: 'poison' }), error: expect.any(String) },
    ]);
    expect(lines).toEqual([expect.objectContaining({ event_id })]);
  });

  // D278: a schema that is being migrated, a right that is missing, a disk that is full.
  test.each([
    ['a table that is not there yet', 'select 1 from shop.later', 'rejects'],
    ['a right that is missing', 'set local role pg_monitor; select 1 from shop.effects', 'rejects'],
    ['a value that does not fit', 'select 1000000::smallint', 'dead letter'],
    ['a constraint', 'insert into shop.inbox (event_id) values (null)', 'dead letter'],
  ])('%s is the message’s fault only if its values cause it', async (_name, text, end) => {
    const taken = shop.consumer({ handle: async (em) => void (await sql(em, text, [])) })(await messages('a'));
    if (end === 'rejects') await expect(taken).rejects.toThrow();
    else await taken;
    expect(await shop.count('dead_letters')).toBe(end === 'rejects' ? 0 : 1);
  });

  test('returns the batch when the database is lost, and dead-letters nothing', async () => {
    const batch = await messages('a', 'b');
    let lose = true;
    const handle = async (em: EntityManager, taken: Message[]) => {
      const [session] = await sql<{ pid: number }>(em, 'select pg_backend_pid() as pid');
      if (lose) await shop.rows('select pg_terminate_backend($1, 5000)', [session!.pid]);
      await writeEffects(em, taken);
    };
    const take = shop.consumer({ handle });
    await expect(take(batch)).rejects.toMatchObject({ kind: 'database' });
    expect([await shop.count('dead_letters'), await shop.count('inbox')]).toEqual([0, 0]);
    lose = false;
    await take(batch);
    expect(await shop.effects()).toEqual(['a', 'b']);
  });
});
