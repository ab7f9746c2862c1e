/** A schema that emits and consumes events, as the tests of one file share it, emptied before each. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type EntityManager, openDb, sql } from '@store/db';
import { consume, emit, eventTables, type Message, type NewEvent, Relay, type RelayOptions, type Transport } from '@store/events';
import { logNothing, testCaller, testDatabase } from '@store/testbed';
import { openClient } from '@store/testbed/with-client';

export type Shop = Awaited<ReturnType<typeof openShop>>;

export let shop: Shop;

export function shareShop(): void {
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.close());
  beforeEach(() => shop.clear());
}

/** A message as a consumer receives it. */
export const message = (changes: Partial<Message> = {}): Message => ({
  id: randomUUID(),
  topic: 'catalog.events',
  storeId: 1,
  name: 'product.updated',
  aggregate: '1',
  public: null,
  internal: null,
  actor: { type: 'system', key: null, user: null },
  requestId: 'request-1',
  createdAt: '2026-11-21T09:30:00.000Z',
  ...changes,
});

export const idsOf = (messages: { id: string }[]) => messages.map(({ id }) => id);
export const namesOf = (messages: { name: string }[]) => messages.map(({ name }) => name);

/** A relay that pauses only where a test says so. */
export const noPause: Partial<RelayOptions> = { pace: { pauseMs: async () => 0 } };

/** Writes each message's name; the name `poison` is refused. */
export async function writeEffects(em: EntityManager, messages: Message[]): Promise<void> {
  for (const { id, name } of messages) await sql(em, 'insert into shop.effects (event_id, text) values ($1, $2)', [id, name]);
}

async function openShop() {
  const database = await testDatabase('shop', makeShop);
  const { url } = database;
  const client = await openClient(url);
  const db = await openDb({ url, schema: 'shop', entities: [], poolMax: 10 });
  const outbox = { db, wake: () => undefined };
  const rows = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows;
  /** Publishes to a transport, or a function in its place. */
  const relay = (to: Transport | Transport['publish'], options: Partial<RelayOptions> = {}) => {
    const transport = typeof to === 'function' ? { publish: to, subscribe: async () => undefined, stop: async () => undefined } : to;
    return new Relay({ url, schema: 'shop', transport, log: logNothing, ...options });
  };
  return {
    ...{ url, db, client, outbox, rows, relay },
    emitted: (...events: NewEvent[]) => db.unit(1, (em) => emit(em, outbox, testCaller(), events)),
    /** Rows of one store beside each other, as a bulk request leaves them. */
    put: (storeId: number, count: number) =>
      client.query(
        `insert into shop.outbox (event_id, store_id, name, aggregate, actor, request_id, created_at)
         select gen_random_uuid(), $1, 'n.' || n, 'p' || n % 50, '{}', 'r', clock_timestamp() from generate_series(1, $2::int) n`,
        [storeId, count],
      ),
    /** Publishes all that waits, by one relay. */
    async drain(...how: Parameters<typeof relay>): Promise<void> {
      const one = relay(...how);
      await one.drain().finally(() => one.stop());
    },
    /** Publishes pending events, and returns them as messages. */
    async relayed(): Promise<Message[]> {
      const messages: Message[] = [];
      await this.drain(async (batch) => void messages.push(...batch));
      return messages;
    },
    /** Runs a started relay until nothing waits. */
    async untilEmpty(one: Relay): Promise<void> {
      while ((await this.count('outbox')) > 0);
      await one.stop();
    },
    consumer: (changes: Partial<Parameters<typeof consume>[0]> = {}) =>
      consume({ db, log: logNothing, wants: () => true, handle: writeEffects, ...changes }),
    /** What `writeEffects` has written, in order. */
    effects: async () => (await rows('select text from shop.effects order by n')).map(({ text }) => text as string),
    count: async (table: string) => Number((await rows(`select count(*) from shop.${table}`))[0].count),
    clear: () => client.query('truncate shop.outbox, shop.inbox, shop.dead_letters, shop.effects, shop.items'),
    async close(): Promise<void> {
      await db.close();
      await client.end();
      await database.close();
    },
  };
}

async function makeShop(url: string): Promise<void> {
  const client = await openClient(url);
  await client.query(`create schema shop; set search_path to shop; ${eventTables};
    create table items (id int primary key, quantity int not null);
    create table effects (n bigint generated always as identity, event_id uuid, text text check (text <> 'poison'))`);
  await client.end();
}
