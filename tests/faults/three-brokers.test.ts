/**
 * Three brokers, every partition on all of them, and an acknowledgement needs two replicas. Brokers are
 * killed and leaders moved under 50 writes a second; every committed event arrives, in its record's order.
 * FAULT_SECONDS sets the duration.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type Db, openDb, sql } from '@store/db';
import { consume, createTopics, eventTables, KafkaTransport, type Message, Relay, weakTopics } from '@store/events';
import { capturingLog, describeWithKafka, logNothing, type TestDatabase, testDatabase } from '@store/testbed';
import { until } from '@store/testbed/until';
import { openClient, withClient } from '@store/testbed/with-client';
import type pg from 'pg';
import type { KafkaCluster } from '../../tools/local/kafka-cluster.ts';
import { ownKafkaCluster } from '../kit/own-servers.ts';
import { openBeforeAll } from '../kit/use.ts';
import { report } from './load.ts';
import { openReplicas, type Replicas } from './replicas.ts';
import { makeSteps, openSteps, startSteps, stepOf } from './step-writes.ts';

const startMs = 120_000;
const faultsMs = Number(process.env.FAULT_SECONDS ?? 16) * 1_000;
/** A write changes this many records, so that one batch goes to several leaders. */
const recordsPerWrite = 4;
const arrivedWithinMs = 60_000;

describeWithKafka('three brokers', () => {
  let cluster: KafkaCluster;
  let database: TestDatabase;
  let client: pg.Client;
  let db: Db;
  let listener: Db;
  let replicas: Replicas;
  const { log, lines } = capturingLog();
  openBeforeAll(async (opened) => {
    cluster = await opened(ownKafkaCluster());
    const kafka = { brokers: cluster.brokers.split(','), log: logNothing };
    await createTopics({ ...kafka, partitions: 6 });
    expect(await weakTopics(kafka)).toEqual([]);
    replicas = await opened(openReplicas(kafka, 'catalog.events'));
    database = await opened(testDatabase('three_brokers', makeSchemas));
    client = await opened(openClient(database.url), (one) => one.end());
    db = await opened(openSteps(database.url));
    listener = await opened(openDb({ url: database.url, schema: 'listener', entities: [], poolMax: 5 }));
  });

  test(
    `killed for ${faultsMs / 1_000} s under load: every event arrives, in order`,
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
      const load = startSteps(db, () => relay.wake(), recordsPerWrite);
      await until(async () => (await count('listener.arrived')) > 0, startMs);

      const endsAtMs = performance.now() + faultsMs;
      let kills = 0;
      let moves = 0;
      while (performance.now() < endsAtMs) {
        for (let turn = 0; turn < 4; turn++, moves++) {
          await replicas.rotateLeaders();
          await wait(1_000);
        }
        const node = cluster.nodes[kills % cluster.nodes.length]!;
        await node.crash();
        kills += 1;
        await wait(3_000);
        await node.start();
        await until(() => replicas.inSync(), startMs);
      }
      await load.stop();
      const committed = load.acknowledged;
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
      report({ events: committed.size, kills, moves, resent, waited });
      const arrived = new Set(rows.map(({ event_id }) => event_id));
      expect([...committed.keys()].filter((id) => !arrived.has(id))).toEqual([]);
      // A write whose answer was lost may have been committed.
      expect(arrived.size - committed.size).toBeLessThanOrEqual(load.inDoubt() * recordsPerWrite);
      for (const steps of Map.groupBy(rows, ({ aggregate }) => aggregate).values())
        expect(steps.map(({ step }) => Number(step))).toEqual(steps.map((_, n) => n + 1));
      // Otherwise no send met a fault.
      expect(resent).toBeGreaterThan(0);
      expect(lines.filter(({ msg }) => msg === 'fatal')).toEqual([]);
    },
    startMs * 2 + 2 * faultsMs + 2 * arrivedWithinMs,
  );

  const count = async (table: string) => Number((await client.query(`select count(*) from ${table}`)).rows[0].count);
});

const keep = `insert into listener.arrived (event_id, aggregate, step)
  select event_id, aggregate, step from unnest($1::uuid[], $2::text[], $3::bigint[]) with ordinality as x(event_id, aggregate, step, n) order by x.n`;

function keepValues(messages: Message[]): unknown[] {
  return [messages.map(({ id }) => id), messages.map(({ aggregate }) => aggregate), messages.map(stepOf)];
}

async function makeSchemas(url: string): Promise<void> {
  const text = `create schema listener; set search_path to listener; ${eventTables};
    create table listener.arrived (n bigint generated always as identity, event_id uuid unique, aggregate text, step bigint,
      at timestamptz not null default clock_timestamp())`;
  await makeSteps(url);
  await withClient(url, (client) => client.query(text));
}
