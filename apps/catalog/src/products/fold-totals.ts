/** Merges the rows of kept totals, so that each sum reads few rows (D192). */
import { compactSums, type Db } from '@store/db';

export async function foldOnce(db: Db): Promise<void> {
  await compactSums(db, { table: 'catalog.product_totals', keys: ['store_id'], sum: 'delta' });
  await compactSums(db, { table: 'catalog.category_totals', keys: ['store_id', 'category_id'], sum: 'added' });
}

export const productTotalsTimer = { name: 'product totals', everyMs: 15_000, work: ({ db }: { db: Db }) => foldOnce(db) };
