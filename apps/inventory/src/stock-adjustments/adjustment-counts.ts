/** How many rows a store's ledger has, exact and without counting them (decisions D43, D192). */
import { type Db, type EntityManager, sql } from '@store/db';
import type { RpcLog } from '@store/rpc';

/** Adds to the store's total, in the transaction that wrote the rows. */
export async function countRows(em: EntityManager, storeId: number, rows: number): Promise<void> {
  await sql(em, 'insert into inventory.stock_adjustment_counts (store_id, added) values ($1, $2)', [storeId, rows]);
}

/** The sum that the unfiltered list's total_count is read from. */
export const countedRows = 'select coalesce(sum(added), 0) as total from inventory.stock_adjustment_counts where store_id = $1';

/** Adds the small rows up, one row per store. Readers see the rows before or after, never between. */
export async function compactCounts(db: Db): Promise<void> {
  await db.unit(0, (em) =>
    sql(
      em,
      `with taken as (
         delete from inventory.stock_adjustment_counts where ctid = any (array(
           select ctid from inventory.stock_adjustment_counts for update skip locked))
         returning store_id, added)
       insert into inventory.stock_adjustment_counts (store_id, added) select store_id, sum(added) from taken group by store_id`,
    ),
  );
}

const compactEveryMs = 60_000;

/** Keeps the sum short while the service runs; returns what stops it. */
export function keepCounts(db: Db, log: RpcLog): () => void {
  const timer = setInterval(() => {
    compactCounts(db).catch((error: unknown) => log.error({ err: error }, 'The ledger totals could not be added up and will be again'));
  }, compactEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
