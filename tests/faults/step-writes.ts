/** Writers of records whose every change is a step with an event of its number, straight on an outbox: for faults of servers. */
import { type Db, openDb, sql } from '@store/db';
import { emit, eventTables, type Message } from '@store/events';
import { testCaller } from '@store/testbed';
import { withClient } from '@store/testbed/with-client';
import { startClients } from '../kit/load.ts';

const writers = 10;
/** Writes per second of each writer. */
const pace = 5;
const records = 24;

export async function makeSteps(url: string): Promise<void> {
  const text = `create schema catalog; set search_path to catalog; ${eventTables};
    create table catalog.items as select id, 0 as step from generate_series(0, ${records - 1}) id`;
  await withClient(url, (client) => client.query(text));
}

export const openSteps = (url: string): Promise<Db> => openDb({ url, schema: 'catalog', entities: [], poolMax: writers });

export interface Steps {
  /** Ids of the events of every write that was acknowledged, and when (ms of the clock). */
  acknowledged: Map<string, number>;
  /** Writes without an answer. */
  inDoubt(): number;
  stop(): Promise<void>;
}

/** `recordsEach`: how many records a write changes. */
export function startSteps(db: Db, wake: () => void, recordsEach = 1): Steps {
  const acknowledged = new Map<string, number>();
  let inDoubt = 0;
  const write = (first: number) =>
    db.unit(1, async (em) => {
      const events: { name: string; aggregate: string }[] = [];
      // In one order: writers that lock several rows would otherwise deadlock.
      for (const id of Array.from({ length: recordsEach }, (_, n) => (first + n * 5) % records).sort((a, b) => a - b)) {
        const text = 'update catalog.items set step = step + 1 where id = $1 returning step::text';
        events.push({ name: `step.${(await sql<{ step: string }>(em, text, [id]))[0]!.step}`, aggregate: String(id) });
      }
      return emit(em, { db, wake }, testCaller(), events);
    });
  const clients = startClients(writers, 1_000 / pace, async (writer, n) => {
    const ids = await write((writer * 3 + n) % records).catch(() => undefined);
    if (!ids) inDoubt += 1;
    for (const id of ids ?? []) acknowledged.set(id, Date.now());
  });
  return { acknowledged, inDoubt: () => inDoubt, stop: () => clients.stop() };
}

export const stepOf = ({ name }: Pick<Message, 'name'>): number => Number(name.slice('step.'.length));
