/**
 * Three brokers, every partition on all of them, and an acknowledgement needs two replicas. Brokers are
 * killed and leaders moved under 50 writes a second; every committed event arrives, in its record's order.
 * FAULT_SECONDS sets the duration.
 */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Db, openDb, sql } from '@store/db';
import { consume, createTopics, emit, eventTables, KafkaTransport, type Message, Relay, weakTopics } from '@store/events';
import { capturingLog, describeWithKafka, logNothing, type TestDatabase, testCaller, testDatabase } from '@store/testbed';
import pg from 'pg';
import { type KafkaCluster, startKafkaCluster } from '../../tools/local/kafka-cluster.ts';
import { until } from './fleet-world.ts';
import { pause } from './load.ts';
import { openReplicas, type Replicas } from './replicas.ts';

const startMs = 120_000;
const faultsMs = Number(process.env.FAULT_SECONDS ?? 16) * 1_000;
const writers = 10;
/** Writes per second of each writer. */
const pace = 5;
/** A write changes this many records, so that one batch goes to several leaders. */
const recordsPerWrite = 4;
const records = 24;
const brokerIds = [1, 2, 3];
const arrivedWithinMs = 60_000;

describeWithKafka('three brokers', () => {
  let cluster: KafkaCluster;
  let database: TestDatabase;
  let client: pg.Client;
  let db: Db;
  let listener: Db;
  let replicas: Replicas;
  const { log, lines } = capturingLog();
  beforeAll(async () => {
    const started = await startKafkaCluster({ dir: mkdtempSync(path.join(os.tmpdir(), 'store-cluster-')), log: () => undefined });
    if ('skipped' in started) throw new Error(started.skipped);
    cluster = started;
    const kafka = { brokers: cluster.brokers.split(','), log: logNothing };
    await createTopics({ ...kafka, partitions: 6 });
    expect(await weakTopics(kafka)).toEqual([]);
    replicas = await openReplicas(kafka, 'catalog.events');
    database = await testDatabase('three_brokers', makeSchemas);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    db = await openDb({ url: database.url, schema: 'catalog', entities: [], poolMax: writers });
    listener = await openDb({ url: database.url, schema: 'listener', entities: [], poolMax: 5 });
  }, startMs);
  afterAll(async () => {
    await db?.close();
    await listener?.close();
    await client?.end();
    await database?.close();
    await replicas?.close();
    await cluster?.close();
  }, startMs);

  test(
    `killed and their leaders moved for ${faultsMs / 1_000} s under ${writers * pace} writes a second: every committed event arrives, in its record's order`,
    async () => {
      const options = {
        brokers: cluster.brokers.split(','),
        clientId: 'three',
        log,
        onFatal: (error: Error) => log.error({ err: error }, 'fatal'),
      };
      const [sending, listening] = [new KafkaTransport(options), new KafkaTransport(options)];
      await listening.subscribe({
        group: 'listener',
        topics: ['catalog.events'],
        handle: consume({
          db: listener,
          log,
          wants: () => true,
          handle: (em, messages) => sql(em, keep, keepValues(messages)).then(() => undefined),
        }),
      });
      const relay = new Relay({ url: database.url, schema: 'catalog', transport: sending, log });
      relay.start();
      const load = startWrites(() => relay.wake());
      await until(async () => (await count('listener.arrived')) > 0, startMs);

      const endsAtMs = performance.now() + faultsMs;
      let kills = 0;
      let moves = 0;
      while (performance.now() < endsAtMs) {
        for (let turn = 0; turn < 4; turn++, moves++) {
          await replicas.rotateLeaders();
          await pause(1_000);
        }
        const node = cluster.node(brokerIds[kills % brokerIds.length]!);
        await node.kill();
        kills += 1;
        await pause(3_000);
        await node.start();
        await until(() => replicas.inSync(), startMs);
      }
      const committed = await load.stop();
      await until(async () => (await count('catalog.outbox')) === 0, arrivedWithinMs);
      await until(async () => (await count('listener.arrived')) >= committed.size, arrivedWithinMs).catch(() => undefined);
      await relay.stop();
      await sending.stop();
      await listening.stop();

      const { rows } = await client.query<{ event_id: string; aggregate: string; step: string; at: number }>(
        'select event_id::text, aggregate, step::text, 1000 * extract(epoch from at)::float8 as at from listener.arrived order by n',
      );
      const waits = rows.map(({ event_id, at }) => at - (committed.get(event_id) ?? at)).sort((a, b) => a - b);
      const waited = { medianMs: waits[Math.floor(waits.length / 2)], longestMs: waits.at(-1) };
      const resent = lines.filter(({ msg }) => msg === 'The relay failed and will try again').length;
      if (process.env.FAULT_REPORT) console.error({ events: committed.size, kills, moves, resent, waited, writes: load.writes() });
      expect(rows.filter(({ event_id }) => !committed.has(event_id))).toEqual([]);
      expect(committed.size - rows.length).toBe(0);
      for (const steps of Map.groupBy(rows, ({ aggregate }) => aggregate).values())
        expect(steps.map(({ step }) => Number(step))).toEqual(steps.map((_, n) => n + 1));
      // Otherwise no send met a fault.
      expect(resent).toBeGreaterThan(0);
      expect(lines.filter(({ msg }) => msg === 'fatal')).toEqual([]);
    },
    startMs * 2 + 2 * faultsMs + 2 * arrivedWithinMs,
  );

  const count = async (table: string) => Number((await client.query(`select count(*) from ${table}`)).rows[0].count);

  /** Ids of the events of every write that was committed, and when (ms of the clock). */
  function startWrites(wake: () => void): { stop(): Promise<Map<string, number>>; writes(): number } {
    const committed = new Map<string, number>();
    let going = true;
    let writes = 0;
    const write = async (first: number) => {
      const ids = await db.unit(1, async (em) => {
        const changed: { id: string; step: string }[] = [];
        // In one order: writers that lock several rows would otherwise deadlock.
        for (const id of Array.from({ length: recordsPerWrite }, (_, n) => (first + n * 5) % records).sort((a, b) => a - b))
          changed.push(
            (
              await sql<{ id: string; step: string }>(
                em,
                'update catalog.items set step = step + 1 where id = $1 returning id::text, step::text',
                [id],
              )
            )[0]!,
          );
        const events = changed.map(({ id, step }) => ({ name: `step.${step}`, aggregate: id }));
        return emit(em, { db, wake }, testCaller(), events);
      });
      for (const id of ids) committed.set(id, Date.now());
      writes += 1;
    };
    const loops = Array.from({ length: writers }, async (_, writer) => {
      for (let n = 0; going; n++) await Promise.all([write((writer * 3 + n) % records), pause(1_000 / pace)]);
    });
    return {
      stop: async () => {
        going = false;
        await Promise.all(loops);
        return committed;
      },
      writes: () => writes,
    };
  }
});

const keep = `insert into listener.arrived (event_id, aggregate, step)
  select event_id, aggregate, step from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality as x(event_id, aggregate, step, n) order by x.n`;

function keepValues(messages: Message[]): unknown[] {
  return [
    messages.map(({ id }) => id),
    messages.map(({ aggregate }) => aggregate),
    messages.map(({ name }) => Number(name.slice('step.'.length))),
  ];
}

async function makeSchemas(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const schema of ['catalog', 'listener']) await client.query(`create schema ${schema}; set search_path to ${schema}; ${eventTables}`);
  await client.query(`create table catalog.items as select id, 0 as step from generate_series(0, ${records - 1}) id;
    create table listener.arrived (n bigint generated always as identity, event_id uuid unique, aggregate text, step bigint,
      at timestamptz not null default clock_timestamp())`);
  await client.end();
}
