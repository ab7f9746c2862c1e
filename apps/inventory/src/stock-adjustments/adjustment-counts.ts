/** How many rows a store's ledger has, exact and without counting them (D43, D192). */
import { defineEntity, p } from '@mikro-orm/core';
import { type Db, idColumn, sql, storeIdColumn } from '@store/db';

/** D192: the store's total is the sum of its few rows. Every write adds one, so that no row is written by all. */
export const StockAdjustmentCount = defineEntity({
  name: 'StockAdjustmentCount',
  tableName: 'stock_adjustment_counts',
  properties: { id: idColumn(), storeId: storeIdColumn(), added: p.bigint('number') },
  indexes: [{ name: 'stock_adjustment_counts_store', properties: ['storeId'], include: ['added'] }],
});

/** The sum that the unfiltered list's total_count is read from. */
export const countedRows = 'select coalesce(sum(added), 0)::bigint as total from inventory.stock_adjustment_counts where store_id = $1';

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

export const compactEveryMs = 60_000;
