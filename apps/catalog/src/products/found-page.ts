/**
 * A page for filters without an ordered index (search, updated_since, codes): all matches are found and sorted, and
 * counted. One statement does both, as finding them is most of the work (docs/decisions/0126).
 */
import type { Ask } from '@store/db';
import type { Page } from '@store/input';
import type { FoundPage } from './first-page.ts';
import { allColumns, type ProductRow } from './product.query.ts';

/** Ids of all that match, the rows of the page alone, and the number: one row without an id where the page is empty. */
const statement = (where: string, by: 'name' | 'created_at', tail: (by: string) => string) => `
  with found as materialized (
    select p.id, p.${by} from catalog.products p where p.store_id = $1 and p.deleted_at is null ${where}),
  p as materialized (
    select q.* from (select f.id from found f ${tail(`f.${by}, f.id`)}) page
      join catalog.products q on q.id = page.id and q.store_id = $1)
  select counted.total, ${allColumns}
  from (select count(*) as total from found) counted left join p on true order by p.${by}, p.id`;

/** `where` is of catalog.products as p; $1 is the store, $2 now, and `values` start at $3. */
export async function foundPage(ask: Ask, storeId: number, now: Date, where: string, values: unknown[], page: Page): Promise<FoundPage> {
  const next = 3 + values.length;
  const { limit, offset, walk } = page;
  const mark = walk?.mark;
  const text = statement(where, walk ? 'created_at' : 'name', (by) => {
    const after = mark ? `where (${by}) > ($${next + 2}, $${next + 3})` : '';
    return `${after} order by ${by} limit $${next} offset $${next + 1}`;
  });
  const further = [limit, offset, ...(mark ? [mark.createdAt, mark.id] : [])];
  const rows = await ask<ProductRow & { total: number }>(text, [storeId, now, ...values, ...further]);
  return { rows: rows.filter(({ id }) => id !== null), totalCount: rows[0]!.total };
}
