/** What search reads: one lower-cased text per product under one trigram index (decision D192). */
import { type EntityManager, sql } from '@store/db';

/** Stands between the parts, so that no search matches across two of them. */
export const searchSeparator = '\u001f';

/** Lower-cased here and not in SQL: PostgreSQL's lower() knows only ASCII under the C locale. */
export function searchText(parts: (string | null | undefined)[]): string {
  return parts
    .filter((part) => part)
    .join(searchSeparator)
    .toLowerCase();
}

/** Rebuilds the text of these products, after their brand's name or their presets changed. */
export async function refreshSearchText(em: EntityManager, productIds: (number | string)[]): Promise<void> {
  const rows = await sql<{
    id: string;
    name: string;
    sku: string | null;
    barcode: string | null;
    presets: string[] | null;
    brand: string | null;
  }>(
    em,
    `select p.id, p.name, p.sku, p.barcode, b.name as brand,
       (select array_agg(w.barcode) from catalog.product_weight_presets w where w.product_id = p.id) as presets
     from catalog.products p left join catalog.brands b on b.id = p.brand_id where p.id = any ($1::bigint[])`,
    [productIds],
  );
  const texts = rows.map((row) => ({ id: row.id, text: searchText([row.name, row.sku, row.barcode, ...(row.presets ?? []), row.brand]) }));
  await sql(
    em,
    `update catalog.products p set search_text = x.text from json_to_recordset($1::json) as x(id bigint, text text)
     where p.id = x.id and p.search_text <> x.text`,
    [JSON.stringify(texts)],
  );
}
