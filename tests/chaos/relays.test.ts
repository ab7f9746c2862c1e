/**
 * Two outbox designs that are known to be wrong (one loses events, P1; one mixes their order, P2), under concurrent writers
 * on real PostgreSQL: the checker used for the product must find both faults, and none in the correct design.
 */
import { beforeEach, expect, test } from '@jest/globals';
import { type Db, type EntityManager, openDb, sql } from '@store/db';
import { emit, eventTables, type Outbox, Relay } from '@store/events';
import { logNothing, RecordingTransport, type TestDatabase, testCaller, testDatabase } from '@store/testbed';
import { openClient, withClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { openBeforeAll } from '../kit/use.ts';
import { check } from './check.ts';
import { type Carried, nothing } from './history.ts';
import { installJournal, journaledChanges, journaledEvents } from './journal.ts';
import { carriedOf } from './kafka-log.ts';

const writers = 16;
const records = 4;
const writesEach = 60;
/** Ids are assigned slightly before the commit, as in transactions that do some work in between. */
const workMaxMs = 4;
const caller = testCaller();

let database: TestDatabase;
let judge: pg.Client;
let db: Db;
let outbox: Outbox;

async function makeShop(url: string): Promise<void> {
  const text = `create schema shop; set search_path to shop; ${eventTables};
    create table items (id int primary key, name text not null);
    insert into items select n, 'first' from generate_series(1, ${records}) n`;
  await withClient(url, (client) => client.query(text));
}

const itemChanges = `
  create function chaos.item_changed() returns trigger language plpgsql as $$
  begin
    insert into chaos.changes (topic, record, resource, marks, name) values ('shop.events', new.id, new.id, array[new.name], new.name);
    return null;
  end $$;
  create trigger chaos after update on shop.items for each row execute function chaos.item_changed()`;

openBeforeAll(async (opened) => {
  database = await opened(testDatabase('chaos', makeShop));
  judge = await opened(openClient(database.url), (one) => one.end());
  await installJournal(judge, ['shop']);
  await judge.query(itemChanges);
  db = await opened(openDb({ url: database.url, schema: 'shop', entities: [], poolMax: writers }));
  outbox = { db, wake: () => undefined };
});
beforeEach(() =>
  judge.query(`truncate shop.outbox, chaos.changes, chaos.emitted; update shop.items set name = 'first'; truncate chaos.changes`),
);

const work = (em: EntityManager) => sql(em, 'select pg_sleep(random() * $1 / 1000)', [workMaxMs]);
const change = (em: EntityManager, id: number, name: string) => sql(em, 'update shop.items set name = $2 where id = $1', [id, name]);
const tell = (em: EntityManager, id: number, name: string) =>
  emit(em, outbox, caller, [
    { name: 'item.updated', aggregate: id, public: { resourceType: 'Item', resourceId: id, data: JSON.stringify({ id, name }) } },
  ]);

type Writing = (em: EntityManager, id: number, name: string) => Promise<void>;

const recordFirst: Writing = async (em, id, name) => {
  await change(em, id, name);
  await work(em);
  await tell(em, id, name);
  await work(em);
};
/** As one MikroORM flush would order it: INSERTs, then UPDATEs. */
const eventFirst: Writing = async (em, id, name) => {
  await tell(em, id, name);
  await work(em);
  await change(em, id, name);
};

async function writeAll(write: Writing): Promise<void> {
  const writer = async (number: number) => {
    for (let n = 0; n < writesEach; n++) await db.unit(1, (em) => write(em, ((number + n) % records) + 1, `w-${number}-${n}`));
  };
  await Promise.all(Array.from({ length: writers }, (_, number) => writer(number)));
}

/** Runs `pass` beside the writers, and until it finds nothing more after they have ended. */
async function relayWhile(writing: Promise<void>, pass: () => Promise<number>): Promise<void> {
  let over = false;
  const ended = writing.finally(() => {
    over = true;
  });
  for (let last = false; ; last = over) if ((await pass()) === 0 && last) break;
  await ended;
}

async function judged(carried: Carried[]) {
  const { rows: products } = await judge.query<{ record: string; name: string }>('select id::text as record, name from shop.items');
  const history = { ...nothing, changes: await journaledChanges(judge), emitted: await journaledEvents(judge), carried, products };
  expect(history.changes).toHaveLength(writers * writesEach);
  return Map.groupBy(check(history), ({ rule }) => rule);
}

/** The project's own relay and what it published. */
async function withRealRelay(write: Writing): Promise<Carried[]> {
  const transport = new RecordingTransport();
  const relay = new Relay({ url: database.url, schema: 'shop', transport, log: logNothing });
  await relayWhile(writeAll(write), async () => {
    const before = transport.messages.length;
    await relay.drain();
    return transport.messages.length - before;
  });
  await relay.stop();
  return carriedOf(transport.messages);
}

test("the product's relay, with the record written first, breaks no rule", async () => {
  expect(await judged(await withRealRelay(recordFirst))).toEqual(new Map());
});

test('a relay that reads after a watermark is found: it loses late commits', () =>
  withClient(database.url, async (client) => {
    let last = '0';
    const carried: Carried[] = [];
    await relayWhile(writeAll(recordFirst), async () => {
      const { rows } = await client.query<Pick<Carried, 'eventId' | 'record' | 'hash'> & { id: string }>(
        `select id::text, event_id::text as "eventId", aggregate as record, encode(sha256(public), 'hex') as hash from shop.outbox
         where id > $1 order by id`,
        [last],
      );
      last = rows.at(-1)?.id ?? last;
      for (const row of rows)
        carried.push({ ...row, store: 1, topic: 'shop.events', partition: 0, offset: carried.length, name: 'item.updated' });
      return rows.length;
    });
    expect((await judged(carried)).get('event-lost')?.length).toBeGreaterThan(0);
  }));

test('numbering an event before its record is locked is found: order reverses', async () => {
  expect((await judged(await withRealRelay(eventFirst))).get('record-order')?.length).toBeGreaterThan(0);
});
