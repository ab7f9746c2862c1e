/** The whole database as text: to search it for what it must not hold, and to check that nothing changed. */
import { appNames } from '@store/contract';
import type { World } from './world.ts';

async function tables({ database }: World): Promise<string[]> {
  const { rows } = await database.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = any($1) order by 1`,
    [[...appNames, 'public']],
  );
  return rows.map((row) => row.name);
}

/** Every row of every table; bytes both as hex and as the text they spell. */
export async function databaseText(world: World): Promise<string> {
  const found: string[] = [];
  for (const table of await tables(world)) {
    const { rows } = await world.database.query(`select * from ${table}`);
    found.push(table, ...rows.map((row) => JSON.stringify(row, (_name, value) => readable(value))));
  }
  return found.join('\n');
}

function readable(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || (value as { type?: string }).type !== 'Buffer') return value;
  const bytes = Buffer.from((value as { data: number[] }).data);
  return `${bytes.toString('hex')} ${bytes.toString('latin1')}`;
}

/** Rows per table, without those that any request or a timer may change: sessions, key usage, login failures, totals, the log of requests. */
export async function rowCounts(world: World): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tables(world)) {
    if (/\.(staff_sessions|key_usage|login_failures\w*|running_totals|stock_adjustment_counts|requests|migrations)$/.test(table)) continue;
    counts[table] = Number((await world.database.query(`select count(*) as n from ${table}`)).rows[0].n);
  }
  return counts;
}
