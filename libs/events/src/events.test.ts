import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Db, type EntityManager, openDb, sql } from '@store/db';
import { capturingLog, logNothing, RecordingTransport, SetClock, type TestDatabase, testCaller, testDatabase } from '@store/testbed';
import pg from 'pg';
import { consume } from './consume/consume.ts';
import type { Message } from './message.ts';
import { emit, eventTables, type Outbox } from './outbox/emit.ts';
import { Relay } from './outbox/relay.ts';

const clock = new SetClock('2026-11-20T12:00:00.250Z');
const caller = testCaller();
let database: TestDatabase;
let admin: pg.Client;
let db: Db;
let outbox: Outbox;
let woken = 0;

async function makeShop(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create schema shop; set search_path to shop; ${eventTables};
    create table items (id int primary key, quantity int not null);
    create table effects (n bigint generated always as identity, event_id uuid, text text check (text <> 'poison'))`);
  await client.end();
}

beforeAll(async () => {
  database = await testDatabase('events', makeShop);
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  db = await openDb({ url: database.url, schema: 'shop', entities: [], poolMax: 10, clock });
  outbox = { db, wake: () => void woken++ };
});
afterAll(async () => {
  await db.close();
  await admin.end();
  await database.close();
});
beforeEach(async () => {
  woken = 0;
  await admin.query('truncate shop.outbox, shop.inbox, shop.dead_letters, shop.effects, shop.items');
  await admin.query('insert into shop.items select n, 0 from generate_series(1, 5) n');
});

const count = async (table: string) => Number((await admin.query(`select count(*) from shop.${table}`)).rows[0].count);
const effects = async () => (await admin.query('select text from shop.effects order by n')).rows.map((row) => row.text as string);

async function relayed(): Promise<Message[]> {
  const transport = new RecordingTransport();
  const relay = new Relay({ url: database.url, schema: 'shop', transport, log: logNothing });
  await relay.drain();
  await relay.stop();
  return transport.messages;
}

const fact = (name: string, aggregate: number | string = 1) => ({ name, aggregate });

describe('emit', () => {
  test('of a change that is rolled back leaves no event and notifies nobody', async () => {
    const failing = db.unit(1, async (em) => {
      await emit(em, outbox, caller, [fact('item.changed')]);
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    expect(await relayed()).toEqual([]);
    expect(woken).toBe(0);
  });

  test('builds the webhook body once, as bytes, with the data as rendered', async () => {
    const data = '{"id":7,"price":"1.10","name":"Lantern — \\"white\\""}';
    const [id] = await db.unit(1, (em) =>
      emit(em, outbox, caller, [{ ...fact('product.updated', 7), public: { resourceType: 'Product', resourceId: 7, data } }]),
    );
    const [message] = await relayed();
    expect(message!.public!.toString()).toBe(
      `{"id":"${id}","event":"product.updated","resource_type":"Product","resource_id":7,"created_at":"2026-11-20T12:00:00.250Z","data":${data}}`,
    );
    expect(message).toMatchObject({
      id,
      topic: 'shop.events',
      storeId: 1,
      aggregate: '7',
      createdAt: '2026-11-20T12:00:00.250Z',
      requestId: 'test-request',
    });
    expect(woken).toBe(1);
  });

  test('records the actor: the key and the admin who created it', async () => {
    await db.unit(1, (em) => emit(em, outbox, caller, [fact('item.changed')]));
    expect((await relayed())[0]!.actor).toEqual({ type: 'key', key: { id: 12, name: 'Till sync' }, user: { id: 3, name: 'Ada Admin' } });
  });

  test("keeps data for services out of the body, and the client's address in the audit part", async () => {
    const audit = { action: 'brand.create', resource_type: 'Brand', resource_id: 3, before: null, after: { name: 'A' } };
    await db.unit(1, (em) => emit(em, outbox, caller, [{ ...fact('brand.created'), audit }]));
    expect((await relayed())[0]).toMatchObject({ public: null, internal: { audit: { ...audit, ip: '203.0.113.7' } } });
  });
});

describe('the relay', () => {
  test('loses none of the events that 8 concurrent writers commit late or early, and keeps the order of each record', async () => {
    const transport = new RecordingTransport();
    const relay = new Relay({ url: database.url, schema: 'shop', transport, log: logNothing, pollMs: 5, batchMax: 7 });
    relay.start();
    const writes = 40;
    const bump = (writer: number, step: number) =>
      db.unit(1, async (em) => {
        const id = ((writer * 7 + step * 3) % 5) + 1;
        const { quantity } = (
          await sql<{ quantity: number }>(em, 'update shop.items set quantity = quantity + 1 where id = $1 returning quantity', [id])
        )[0]!;
        await emit(em, { db, wake: () => relay.wake() }, caller, [fact(`quantity.${quantity}`, id)]);
        // Ids commit out of order: some transactions stay open while later ids are read and deleted.
        if ((writer + step) % 3 === 0) await sql(em, 'select pg_sleep(0.004)');
      });
    await Promise.all(
      [0, 1, 2, 3, 4, 5, 6, 7].map(async (writer) => {
        for (let step = 0; step < writes; step++) await bump(writer, step);
      }),
    );
    while ((await count('outbox')) > 0);
    await relay.stop();
    expect(transport.messages).toHaveLength(8 * writes);
    expect(new Set(transport.messages.map((message) => message.id)).size).toBe(8 * writes);
    for (const id of ['1', '2', '3', '4', '5']) {
      const names = transport.messages.filter((message) => message.aggregate === id).map((message) => message.name);
      expect(names).toEqual(names.map((_name, index) => `quantity.${index + 1}`));
    }
  });

  test('publishes an event that committed after a later one was published', async () => {
    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let inserted: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      inserted = resolve;
    });
    const late = db.unit(1, async (em) => {
      await emit(em, outbox, caller, [fact('late')]);
      inserted();
      await held;
    });
    await first;
    await db.unit(1, (em) => emit(em, outbox, caller, [fact('early')]));
    expect((await relayed()).map((message) => message.name)).toEqual(['early']);
    commit();
    await late;
    expect((await relayed()).map((message) => message.name)).toEqual(['late']);
  });

  test('keeps the rows until the transport has acknowledged them, and sends the same ids and bytes again', async () => {
    await db.unit(1, (em) => emit(em, outbox, caller, [{ ...fact('a'), public: { resourceType: 'Item', resourceId: 1, data: '{}' } }]));
    const tried: Message[] = [];
    const refusing = {
      publish: async (batch: Message[]) => {
        tried.push(...batch);
        throw new Error('broker down');
      },
      subscribe: async () => undefined,
      stop: async () => undefined,
    };
    const relay = new Relay({ url: database.url, schema: 'shop', transport: refusing, log: logNothing });
    await expect(relay.drain()).rejects.toThrow('broker down');
    await relay.stop();
    expect(await count('outbox')).toBe(1);
    expect(await relayed()).toEqual(tried);
    expect(await count('outbox')).toBe(0);
  });

  test('that fails in the middle of a backlog continues after the last acknowledged event', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `n.${n}`);
    await db.unit(1, (em) =>
      emit(
        em,
        outbox,
        caller,
        names.map((name) => fact(name)),
      ),
    );
    const taken: Message[] = [];
    let batches = 0;
    const failing = {
      publish: async (batch: Message[]) => {
        batches += 1;
        if (batches % 3 === 0) throw new Error('broker down');
        taken.push(...batch);
      },
      subscribe: async () => undefined,
      stop: async () => undefined,
    };
    const relay = new Relay({ url: database.url, schema: 'shop', transport: failing, log: logNothing, batchMax: 7, pollMs: 5 });
    relay.start();
    while ((await count('outbox')) > 0);
    await relay.stop();
    // A repeated message had not been acknowledged to the relay; the first occurrences of all are in order.
    expect([...new Set(taken.map((message) => message.name))]).toEqual(names);
    expect(batches).toBeGreaterThan(60 / 7);
  });

  test('rests after each full batch of a backlog as its pace determines', async () => {
    await db.unit(1, (em) =>
      emit(
        em,
        outbox,
        caller,
        Array.from({ length: 50 }, () => fact('old')),
      ),
    );
    const transport = new RecordingTransport();
    let rests = 0;
    const pace = {
      restMs: async () => {
        rests += 1;
        return 1;
      },
    };
    const relay = new Relay({ url: database.url, schema: 'shop', transport, log: logNothing, batchMax: 10, pace });
    await relay.drain();
    expect(rests).toBe(5);
    await relay.stop();
    expect(transport.messages).toHaveLength(50);
  });

  test('reads the outbox once for a change, and waits for no disk to delete it', async () => {
    const query = jest.spyOn(pg.Client.prototype, 'query');
    const asked = (part: string) =>
      query.mock.calls.filter(([given]) => ((given as unknown as { text?: string }).text ?? String(given)).includes(part));
    const reads = () => asked('order by outbox.id limit');
    const transport = new RecordingTransport();
    const relay = new Relay({ url: database.url, schema: 'shop', transport, log: logNothing, pollMs: 600_000 });
    try {
      relay.start();
      while (reads().length === 0) await new Promise((resolve) => setImmediate(resolve));
      await db.unit(1, (em) => emit(em, { db, wake: () => relay.wake() }, caller, [fact('one')]));
      while ((await count('outbox')) > 0);
      await relay.stop();
      // One at its start, which may find the change already.
      expect(reads().length).toBeLessThanOrEqual(2);
      expect(asked('synchronous_commit = off')).toHaveLength(1);
    } finally {
      query.mockRestore();
    }
    expect(transport.messages.map(({ name }) => name)).toEqual(['one']);
  });

  test('is one per schema: a second waits and takes over when the first stops', async () => {
    const [one, other] = [new RecordingTransport(), new RecordingTransport()];
    const leader = new Relay({ url: database.url, schema: 'shop', transport: one, log: logNothing, pollMs: 5 });
    await leader.drain();
    const standby = new Relay({ url: database.url, schema: 'shop', transport: other, log: logNothing, pollMs: 5 });
    standby.start();
    await db.unit(1, (em) => emit(em, outbox, caller, [fact('first')]));
    await leader.drain();
    expect([one.messages.length, other.messages.length]).toEqual([1, 0]);
    await leader.stop();
    await db.unit(1, (em) => emit(em, outbox, caller, [fact('second')]));
    while ((await count('outbox')) > 0);
    await standby.stop();
    expect(other.messages.map((message) => message.name)).toEqual(['second']);
  });
});

describe('a consumer', () => {
  const handle = async (em: EntityManager, messages: Message[]) => {
    for (const message of messages) await sql(em, 'insert into shop.effects (event_id, text) values ($1, $2)', [message.id, message.name]);
  };
  const wants = (message: Message) => message.name !== 'unwanted';
  const messages = async (...names: string[]) => {
    await db.unit(1, (em) =>
      emit(
        em,
        outbox,
        caller,
        names.map((name) => fact(name)),
      ),
    );
    return relayed();
  };

  test('finds the bad messages of a large batch in few transactions, and handles the others in order', async () => {
    const names = Array.from({ length: 256 }, (_, n) => (n === 37 || n === 200 ? 'poison' : `m${n}`));
    const batch = await messages(...names);
    let transactions = 0;
    const unit: Db['unit'] = (...asked) => {
      transactions += 1;
      return db.unit(...asked);
    };
    const counting = { ...db, unit };
    await consume({ db: counting, handle, wants, log: logNothing })(batch);
    expect(await effects()).toEqual(names.filter((name) => name !== 'poison'));
    expect(await count('dead_letters')).toBe(2);
    expect(transactions).toBeLessThan(50);
  });

  test('that receives a message again changes nothing', async () => {
    const take = consume({ db, handle, wants, log: logNothing });
    const batch = await messages('a', 'b');
    await take(batch);
    await take(batch);
    await take([batch[1]!, batch[1]!, batch[0]!]);
    await Promise.all([take(batch), take(batch)]);
    expect(await effects()).toEqual(['a', 'b']);
  });

  test('handles a duplicate within one batch once', async () => {
    const [a, b] = await messages('a', 'b');
    await consume({ db, handle, wants, log: logNothing })([a!, b!, a!]);
    expect(await effects()).toEqual(['a', 'b']);
  });

  test('writes nothing for messages that do not concern it', async () => {
    const took: number[] = [];
    const take = consume({ db, handle, wants, log: logNothing, took: (messages) => void took.push(messages.length) });
    await take(await messages('unwanted'));
    expect([await count('inbox'), await count('effects')]).toEqual([0, 0]);
    await take(await messages('unwanted', 'a', 'b'));
    expect(took).toEqual([0, 2]);
  });

  test('dead-letters a poison message after 5 tries, with its error, and handles the rest in order', async () => {
    const { log, lines } = capturingLog();
    let tries = 0;
    const counted = async (em: EntityManager, batch: Message[]) => {
      if (batch.length === 1 && batch[0]!.name === 'poison') tries += 1;
      await handle(em, batch);
    };
    const batch = await messages('a', 'poison', 'b', 'c');
    await consume({ db, handle: counted, wants, log })(batch);
    expect(await effects()).toEqual(['a', 'b', 'c']);
    expect(tries).toBe(5);
    const { rows } = await admin.query('select event_id::text, topic, message, error from shop.dead_letters');
    expect(rows).toEqual([
      { event_id: batch[1]!.id, topic: 'shop.events', message: expect.objectContaining({ name: 'poison' }), error: expect.any(String) },
    ]);
    expect(lines).toEqual([expect.objectContaining({ event_id: batch[1]!.id })]);
  });

  // D278: a schema that is being migrated, a right that is missing, a disk that is full.
  test.each([
    ['a table that is not there yet', 'select 1 from shop.later', 'rejects'],
    ['a right that is missing', 'set local role pg_monitor; select 1 from shop.effects', 'rejects'],
    ['a value that does not fit', 'select 1000000::smallint', 'dead letter'],
    ['a constraint', 'insert into shop.inbox (event_id) values (null)', 'dead letter'],
  ])('%s is the message’s fault only if its values cause it', async (_name, text, end) => {
    const [a] = await messages('a');
    const take = consume({ db, handle: async (em) => void (await sql(em, text, [])), wants, log: logNothing });
    if (end === 'rejects') await expect(take([a!])).rejects.toThrow();
    else await take([a!]);
    expect(await count('dead_letters')).toBe(end === 'rejects' ? 0 : 1);
  });

  test('returns the batch when the database is lost, and dead-letters nothing', async () => {
    const batch = await messages('a', 'b');
    let lose = true;
    const losing = async (em: EntityManager, taken: Message[]) => {
      const { pid } = (await sql<{ pid: number }>(em, 'select pg_backend_pid() as pid'))[0]!;
      if (lose) await admin.query('select pg_terminate_backend($1, 5000)', [pid]);
      await handle(em, taken);
    };
    const take = consume({ db, handle: losing, wants, log: logNothing });
    await expect(take(batch)).rejects.toMatchObject({ kind: 'database' });
    expect([await count('dead_letters'), await count('inbox')]).toEqual([0, 0]);
    lose = false;
    await take(batch);
    expect(await effects()).toEqual(['a', 'b']);
  });
});
