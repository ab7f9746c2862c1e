/** Folds the rows of kept sums: every write adds a row, so that no row is written by all, and a timer adds the rows up. */
import type { Db } from './db.ts';
import { sql } from './sql.ts';

/** Summing fewer rows than this costs less than folding them. */
const rowsWorthFolding = 32;

export interface KeptSums {
  /** With its schema. */
  table: string;
  /** The columns that say what is summed. */
  keys: string[];
  /** The column that is summed. */
  sum: string;
}

/** Leaves one row where there were many, and none where the sum is 0. Readers see the rows before or after, never between. */
export async function foldSums(db: Db, { table, keys, sum }: KeptSums): Promise<void> {
  const key = keys.join(', ');
  await db.unit(0, (em) =>
    sql(
      em,
      `with taken as (
         delete from ${table} where (${key}) in (
           select ${key} from ${table} group by ${key} having count(*) > ${rowsWorthFolding} or sum(${sum}) = 0)
         returning ${key}, ${sum})
       insert into ${table} (${key}, ${sum}) select ${key}, sum(${sum}) from taken group by ${key} having sum(${sum}) <> 0`,
    ),
  );
}
