/**
 * PostgreSQL with a synchronous standby: the leader crashes and the standby is promoted under 50 writes a second. What was
 * acknowledged is there, and every event is published in its record's order.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Db, openDb, sql } from '@store/db';
import { emit, eventTables, InProcessTransport, type Message, Relay } from '@store/events';
import { logNothing, testCaller } from '@store/testbed';
import pg from 'pg';
import { until } from './fleet-world.ts';
import { pause } from './load.ts';
import { type StandbyPair, startStandbyPair } from './standby-pair.ts';

const startMs = 180_000;
const writers = 10;
/** Writes per second of each writer. */
const pace = 5;
const records = 20;
/** Acknowledged writes before the crash, and after the promotion. */
const writesMin = 60;
const withinMs = 90_000;

let pair: StandbyPair;
let db: Db;
beforeAll(async () => {
  pair = await startStandbyPair();
  const client = new pg.Client({ connectionString: pair.url });
  await client.connect();
  await client.query(`create schema catalog; set search_path to catalog; ${eventTables};
    create table catalog.items as select id, 0 as step from generate_series(0, ${records - 1}) id`);
  await client.end();
  db = await openDb({ url: pair.url, schema: 'catalog', entities: [], poolMax: writers });
}, startMs);
afterAll(async () => {
  await db?.close();
  await pair?.close();
}, startMs);

test(
  'the leader crashes and the standby takes over: no acknowledged change is lost, and its events come in the order of their records',
  async () => {
    const arrived: Message[] = [];
    const transport = new InProcessTransport();
    await transport.subscribe({ group: 'judge', topics: ['catalog.events'], handle: async (batch) => void arrived.push(...batch) });
    const relay = new Relay({ url: pair.url, schema: 'catalog', transport, log: logNothing });
    relay.start();
    const load = startWrites(() => relay.wake());
    await until(() => load.acknowledged.size >= writesMin, withinMs);
    pair.crashLeader();
    const crashedAtMs = performance.now();
    const before = load.acknowledged.size;
    await pair.promote();
    await until(() => load.acknowledged.size > before, withinMs);
    const backAfterMs = performance.now() - crashedAtMs;
    await until(() => load.acknowledged.size >= before + writesMin, withinMs);
    const inDoubt = await load.stop();
    const steps = await drained();
    await relay.stop();
    await transport.stop();
    if (process.env.FAULT_REPORT) console.error({ acknowledged: load.acknowledged.size, inDoubt, backAfterMs: Math.round(backAfterMs) });

    const first = new Map<string, Message>();
    for (const message of arrived) if (!first.has(message.id)) first.set(message.id, message);
    expect([...load.acknowledged].filter((id) => !first.has(id))).toEqual([]);
    const byRecord = Map.groupBy(first.values(), ({ aggregate }) => aggregate);
    // Whatever was committed has its event, nothing else has, and they came in the order of the commits.
    for (const [record, last] of steps) {
      const names = (byRecord.get(record) ?? []).map(({ name }) => name);
      expect([record, names]).toEqual([record, Array.from({ length: last }, (_, n) => `step.${n + 1}`)]);
    }
  },
  startMs + 4 * withinMs,
);

/** The last step of each record, once every event is published. */
async function drained(): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: pair.url });
  await client.connect();
  try {
    await until(async () => (await client.query('select from catalog.outbox limit 1')).rowCount === 0, withinMs);
    const { rows } = await client.query<{ id: string; step: number }>('select id::text, step from catalog.items');
    return new Map(rows.map(({ id, step }) => [id, step]));
  } finally {
    await client.end();
  }
}

/** Ids of events whose change was acknowledged; `stop` returns how many writes had no answer. */
function startWrites(wake: () => void): { acknowledged: Set<string>; stop(): Promise<number> } {
  const acknowledged = new Set<string>();
  let going = true;
  let inDoubt = 0;
  const write = async (record: number) => {
    const [id] = await db.unit(1, async (em) => {
      const { step } = (
        await sql<{ step: string }>(em, 'update catalog.items set step = step + 1 where id = $1 returning step::text', [record])
      )[0]!;
      return emit(em, { db, wake }, testCaller(), [{ name: `step.${step}`, aggregate: String(record) }]);
    });
    acknowledged.add(id!);
  };
  const loops = Array.from({ length: writers }, async (_, writer) => {
    for (let n = 0; going; n++) {
      const one = write((writer * 3 + n) % records).catch(() => {
        inDoubt += 1;
      });
      await Promise.all([one, pause(1_000 / pace)]);
    }
  });
  return {
    acknowledged,
    stop: async () => {
      going = false;
      await Promise.all(loops);
      return inDoubt;
    },
  };
}
