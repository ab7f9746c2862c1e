/** How many rows a store's ledger has, exact and without counting them (D43, D192). */
import { defineEntity, p } from '@mikro-orm/core';
import { compactSums, type Db, idColumn, storeIdColumn } from '@store/db';

/** D192: the store's total is the sum of its few rows. Every write adds one, so that no row is written by all. */
export const StockAdjustmentCount = defineEntity({
  name: 'StockAdjustmentCount',
  tableName: 'stock_adjustment_counts',
  properties: { id: idColumn(), storeId: storeIdColumn(), added: p.bigint('number') },
  indexes: [{ name: 'stock_adjustment_counts_store', properties: ['storeId'], include: ['added'] }],
});

/** The sum that the unfiltered list's total_count is read from. */
export const countedRows = 'select coalesce(sum(added), 0)::bigint as total from inventory.stock_adjustment_counts where store_id = $1';

export const compactCounts = (db: Db) => compactSums(db, { table: 'inventory.stock_adjustment_counts', keys: ['store_id'], sum: 'added' });

const compactEveryMs = 60_000;

export const ledgerTotalsTimer = { name: 'ledger totals', everyMs: compactEveryMs, work: ({ db }: { db: Db }) => compactCounts(db) };
