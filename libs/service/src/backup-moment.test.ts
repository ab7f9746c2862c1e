/** A backup of one moment, from which neither an event nor its effect is missing (docs/operations/backup-and-keys.md). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventTables, type Message, Relay, type Transport } from '@store/events';
import { logNothing, type TestDatabase, testDatabase } from '@store/testbed';
import { until } from '@store/testbed/until';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { atBackupMoment } from './backup-moment.ts';

let database: TestDatabase;
let admin: pg.Client;
beforeAll(async () => {
  database = await testDatabase('backup', async (url) => {
    const client = await openClient(url);
    await client.query(`create schema shop; set search_path to shop; ${eventTables}`);
    await client.end();
  });
  admin = await openClient(database.url);
});
beforeEach(() => admin.query('truncate shop.outbox'));
const running: Relay[] = [];
afterEach(async () => {
  for (const relay of running.splice(0)) await relay.stop();
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

const write = (name: string) =>
  admin.query(
    `insert into shop.outbox (event_id, store_id, name, aggregate, actor, request_id, created_at)
     values (gen_random_uuid(), 1, $1, 'item:1', '{}', 'r', now())`,
    [name],
  );
const waiting = async (client = admin) =>
  (await client.query<{ name: string }>('select name from shop.outbox order by id')).rows.map(({ name }) => name);

/** A relay whose transport takes each batch when the test says so. */
function relayed() {
  const sent: string[] = [];
  let open: () => void = () => undefined;
  const state = { holds: false };
  const transport: Transport = {
    publish: async (batch: Message[]) => {
      sent.push(...batch.map(({ name }) => name));
      if (state.holds) await new Promise<void>((resolve) => (open = resolve));
    },
    subscribe: async () => undefined,
    stop: async () => undefined,
  };
  const relay = new Relay({ url: database.url, schema: 'shop', transport, log: logNothing, pollMs: 20 });
  relay.start();
  running.push(relay);
  return { sent, state, open: () => open() };
}

test('no event leaves an outbox while the moment is sought; one being sent is kept', async () => {
  const { sent, state, open } = relayed();
  state.holds = true;
  await write('under way');
  await until(() => sent.length === 1);
  let asked = 0;
  const behind = async (): Promise<Record<string, number>> => {
    asked += 1;
    // The first one asks before the relays pause.
    if (asked === 2) {
      state.holds = false;
      open();
      await write('while it is sought');
    }
    // The relay has polled several times by the last one.
    return asked < 7 ? { shop: 1 } : {};
  };
  const saved = await atBackupMoment({ url: database.url, behind, withinMs: 60_000 }, async ({ snapshot, lsn }) => {
    expect(lsn).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
    // The relay goes on during the work, and the work sees what was.
    await until(async () => (await waiting()).length === 0);
    const reader = await openClient(database.url);
    await reader.query('begin isolation level repeatable read');
    await reader.query(`set transaction snapshot '${snapshot}'`);
    const rows = await waiting(reader);
    await reader.end();
    return rows;
  });
  expect(saved).toEqual(['under way', 'while it is sought']);
  expect(sent).toEqual(['under way', 'under way', 'while it is sought']);
});

test('consumers that stay behind end the search with a sentence, and relays go on', async () => {
  const { sent } = relayed();
  const search = atBackupMoment({ url: database.url, behind: async () => ({ shop: 3, till: 1 }), withinMs: 0 }, async () => undefined);
  await expect(search).rejects.toThrow('Not all events are handled within 0 s: shop has 3 left, till has 1 left.');
  await write('later');
  await until(async () => sent.includes('later') && (await waiting()).length === 0);
});
