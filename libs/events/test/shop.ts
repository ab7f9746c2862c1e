/** A schema that emits and consumes events, for tests. */
import { type Db, type EntityManager, openDb, sql } from '@store/db';
import { emit, eventTables, type Message, type NewEvent, type Outbox, Relay } from '@store/events';
import { logNothing, RecordingTransport, testCaller, testDatabase } from '@store/testbed';
import pg from 'pg';

export interface Shop {
  url: string;
  db: Db;
  client: pg.Client;
  outbox: Outbox;
  emitted(...events: NewEvent[]): Promise<string[]>;
  /** Publishes pending events, and returns them as messages. */
  relayed(): Promise<Message[]>;
  /** What the handler below has written, in order. */
  effects(): Promise<string[]>;
  count(table: string): Promise<number>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Writes each message's name; the name `poison` is refused. */
export async function writeEffects(em: EntityManager, messages: Message[]): Promise<void> {
  for (const message of messages) await sql(em, 'insert into shop.effects (event_id, text) values ($1, $2)', [message.id, message.name]);
}

export async function openShop(): Promise<Shop> {
  const database = await testDatabase('shop', makeShop);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const db = await openDb({ url: database.url, schema: 'shop', entities: [], poolMax: 5 });
  const outbox = { db, wake: () => undefined };
  return {
    url: database.url,
    db,
    client,
    outbox,
    emitted: (...events) => db.unit(1, (em) => emit(em, outbox, testCaller(), events)),
    relayed: async () => {
      const transport = new RecordingTransport();
      const relay = new Relay({ url: database.url, schema: 'shop', transport, log: logNothing });
      await relay.drain();
      await relay.stop();
      return transport.messages;
    },
    effects: async () => (await client.query('select text from shop.effects order by n')).rows.map(({ text }) => text as string),
    count: async (table) => Number((await client.query(`select count(*) from shop.${table}`)).rows[0].count),
    clear: async () => void (await client.query('truncate shop.outbox, shop.inbox, shop.dead_letters, shop.effects')),
    close: async () => {
      await db.close();
      await client.end();
      await database.close();
    },
  };
}

async function makeShop(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create schema shop; set search_path to shop; ${eventTables};
    create table effects (n bigint generated always as identity, event_id uuid, text text check (text <> 'poison'))`);
  await client.end();
}
