/** Folds the rows of kept sums: every write adds a row, so that no row is written by all, and a timer adds the rows up. */
import type { Db } from './db.ts';
import { sql } from './sql.ts';

/** Summing fewer rows than this costs less than folding them. */
const rowsWorthCompacting = 32;

interface KeptSums {
  /** With its schema. */
  table: string;
  keys: string[];
  sum: string;
}

/** Rows up to this id were looked at by this process, by database and table. */
const lookedAt = new WeakMap<Db, Map<string, number>>();

/** A row that was committed late is missed until its sum is written again, or the process starts again; sums stay exact. */
async function newestRow(db: Db, table: string): Promise<number> {
  const [row] = await db.read<{ newest: number }>(`select coalesce(max(id), 0)::bigint as newest from ${table}`);
  return row?.newest ?? 0;
}

/** Leaves one row where there were many, and none where the sum is 0. Readers see the rows before or after, never between. */
export async function compactSums(db: Db, { table, keys, sum }: KeptSums): Promise<void> {
  const key = keys.join(', ');
  const known = lookedAt.get(db) ?? new Map<string, number>();
  lookedAt.set(db, known);
  // On Citus some inserts run whole on a worker. Ids that a worker gives begin at 2^48: a later row may have a smaller id.
  const isOneServer = (await db.placement()) === 'server';
  const newest = isOneServer ? await newestRow(db, table) : 0;
  if (isOneServer && newest === known.get(table)) return;
  await db.unit(0, (em) =>
    sql(
      em,
      `with taken as (
         delete from ${table} where (${key}) in (
           select ${key} from ${table} where (${key}) in (select ${key} from ${table} where id > $1)
           group by ${key} having count(*) > ${rowsWorthCompacting} or sum(${sum}) = 0)
         returning ${key}, ${sum})
       insert into ${table} (${key}, ${sum}) select ${key}, sum(${sum}) from taken group by ${key} having sum(${sum}) <> 0`,
      [known.get(table) ?? 0],
    ),
  );
  known.set(table, newest);
}
