/**
 * PostgreSQL with a synchronous standby: the leader crashes and the standby is promoted under 50 writes a second. What was
 * acknowledged is there, and every event is published in its record's order.
 */
import { expect, test } from '@jest/globals';
import type { Db } from '@store/db';
import { InProcessTransport, type Message, Relay } from '@store/events';
import { logNothing } from '@store/testbed';
import { until } from '@store/testbed/until';
import { withClient } from '@store/testbed/with-client';
import { openBeforeAll } from '../kit/use.ts';
import { report } from './load.ts';
import { type StandbyPair, startStandbyPair } from './standby-pair.ts';
import { makeSteps, openSteps, startSteps } from './step-writes.ts';

const startMs = 180_000;
/** Acknowledged writes before the crash, and after the promotion. */
const writesMin = 60;
const withinMs = 90_000;

let pair: StandbyPair;
let db: Db;
openBeforeAll(async (opened) => {
  pair = await opened(startStandbyPair());
  await makeSteps(pair.url);
  db = await opened(openSteps(pair.url));
});

test(
  'the leader crashes, the standby takes over: nothing is lost or out of order',
  async () => {
    const arrived: Message[] = [];
    const transport = new InProcessTransport();
    await transport.subscribe({ group: 'judge', topics: ['catalog.events'], handle: async (batch) => void arrived.push(...batch) });
    const relay = new Relay({ url: pair.url, schema: 'catalog', transport, log: logNothing });
    relay.start();
    const load = startSteps(db, () => relay.wake());
    await until(() => load.acknowledged.size >= writesMin, withinMs);
    pair.crashLeader();
    const crashedAtMs = performance.now();
    const before = load.acknowledged.size;
    await pair.promote();
    await until(() => load.acknowledged.size > before, withinMs);
    const backAfterMs = performance.now() - crashedAtMs;
    await until(() => load.acknowledged.size >= before + writesMin, withinMs);
    await load.stop();
    const steps = await drained();
    await relay.stop();
    await transport.stop();
    report({ acknowledged: load.acknowledged.size, inDoubt: load.inDoubt(), backAfterMs });

    const first = new Map<string, Message>();
    for (const message of arrived) if (!first.has(message.id)) first.set(message.id, message);
    expect([...load.acknowledged.keys()].filter((id) => !first.has(id))).toEqual([]);
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
const drained = (): Promise<Map<string, number>> =>
  withClient(pair.url, async (client) => {
    await until(async () => (await client.query('select from catalog.outbox limit 1')).rowCount === 0, withinMs);
    const { rows } = await client.query<{ id: string; step: number }>('select id::text, step from catalog.items');
    return new Map(rows.map(({ id, step }) => [id, step]));
  });
