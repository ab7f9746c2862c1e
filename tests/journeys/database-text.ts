/** The whole database: as text, to search it for what it must not hold, and as a digest per table, to check that nothing changed. */
import { appNames } from '@store/contract';
import { tables as known } from '../kit/tables.ts';
import type { World } from '../kit/world.ts';

/** Every row of every table; bytes both as hex and as the text they spell. */
export async function databaseText({ database }: World): Promise<string> {
  const found: string[] = [];
  const { rows: all } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = any($1) order by 1`,
    [[...appNames, 'public']],
  );
  for (const { name } of all) {
    const { rows } = await database.query(`select * from ${name}`);
    found.push(name, ...rows.map((row) => JSON.stringify(row, (_name, value) => readable(value))));
  }
  return found.join('\n');
}

function readable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || (value as { type?: string }).type !== 'Buffer') return value;
  const bytes = Buffer.from((value as { data: number[] }).data);
  return `${bytes.toString('hex')} ${bytes.toString('latin1')}`;
}

/** Those of which not every column is written by reading requests and timers. */
const compared = [...known].flatMap(([name, { writes = [] }]) => (writes === 'all' ? [] : [{ name, writes }]));

/** All rows of all tables at one moment, without what reading requests and timers write. */
const digestsText = compared
  .map(({ name, writes }) => {
    const row = `to_jsonb(r) - array[${[...writes].map((column) => `'${column}'`).join()}]::text[]`;
    return `select '${name}' as name, count(*) || ' rows ' || coalesce(sum(hashtextextended((${row})::text, 0)), 0) as digest from ${name} r`;
  })
  .join(' union all ');

/** A digest of each table. Wait until the world is settled before comparing two of them. */
export async function digests({ database }: World): Promise<Record<string, string>> {
  // Named, so that PostgreSQL plans a hundred tables once per connection: planning takes twice as long as reading them.
  const { rows } = await database.query<{ name: string; digest: string }>({ name: 'digests', text: digestsText });
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/**
 * A count of the statements that write one of the tables which `digests` reads, also those of transactions that are rolled back. While it
 * stays the same nothing was written, and the tables need not be read: that takes longer than a request that is refused.
 */
export async function countWrites({ database }: World): Promise<() => Promise<string>> {
  await database.query(`
    create sequence public.writes_seen;
    create function public.see_write() returns trigger language plpgsql security definer as
      $$ begin perform nextval('public.writes_seen'); return null; end $$`);
  // Each by itself: one transaction with locks on several tables would wait for running services, and they for it.
  for (const { name } of compared)
    await database.query(
      `create trigger see_write after insert or update or delete on ${name} for each statement execute function public.see_write()`,
    );
  return async () => {
    const { rows } = await database.query<{ seen: string }>(`select concat(last_value, is_called) as seen from public.writes_seen`);
    return rows[0]!.seen;
  };
}

/** Runs `work` and names the tables that changed, also those that background work changed as its consequence. */
export async function changedBy<T>(world: World, work: () => Promise<T>): Promise<{ answer: T; changed: string[] }> {
  await world.settled();
  const before = await digests(world);
  const answer = await work();
  await world.settled();
  const after = await digests(world);
  return { answer, changed: Object.keys(after).filter((name) => after[name] !== before[name]) };
}
