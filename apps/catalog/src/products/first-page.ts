/**
 * The first page of the list without a filter, which most requests are for: page and total are one statement. Its limit is in
 * the text (there are a hundred such texts at most), so PostgreSQL sees what it costs and keeps the plan. SQL text, as it is
 * the hottest of the lists (docs/decisions/0126).
 */
import type { Db } from '@store/db';
import { allColumns, type ProductRow } from './product.query.ts';

export interface FoundPage {
  rows: ProductRow[];
  totalCount: number;
}

export const keptTotal = 'select coalesce(sum(delta), 0)::bigint as total from catalog.product_totals where store_id = $1';

/** No row is skipped, so the columns are made of the rows of the page alone, in the order of the index. */
const statement = (perPage: number) => `
  select ${allColumns}, (${keptTotal}) as total from catalog.products p
  where p.store_id = $1 and p.active and p.deleted_at is null and p.parent_id is null order by p.name, p.id limit ${perPage}`;

export async function firstPage(db: Db, storeId: number, now: Date, perPage: number): Promise<FoundPage> {
  const rows = await db.read<ProductRow & { total: number }>(statement(perPage), [storeId, now], { short: true });
  return { rows, totalCount: rows[0]?.total ?? 0 };
}
