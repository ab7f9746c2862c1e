/** Deletes the rows of a table that were made before a time. */
import { type Db, planByValues, sql } from '@store/db';

/** Rows per transaction, so that no lock is held for long. */
const batchRows = 5_000;

/** `key`: what identifies a row within its store. Text: batches by a limit. */
export async function deleteOld(db: Db, { table, key }: { table: string; key: string }, before: Date): Promise<void> {
  const statement = `delete from ${db.schema}.${table} where (store_id, ${key}) in (
    select one.store_id, one.${key} from ${db.schema}.${table} one where one.created_at < $1 limit $2) returning 1`;
  let removed: number;
  do {
    removed = await db.unit(0, async (em) => {
      planByValues(em);
      return (await sql(em, statement, [before, batchRows])).length;
    });
  } while (removed === batchRows);
}
