/**
 * A product's row copies from other rows: its brand's name, its categories and the text that search
 * reads, in which a variation has its parent's brand too. A read then joins nothing; code that changes one of those calls `refreshKept` in the same transaction.
 */
import { type EntityManager, type Row, searchText, sql } from '@store/db';
import { lockLiving } from './lock-living.ts';
import type { Product } from './product.ts';

type KeptRow = Pick<Row<typeof Product>, 'id' | 'name' | 'sku' | 'barcode'> & {
  presets: string[] | null;
  brand: string | null;
  /** A variation is found by its parent's brand too (D171). */
  parent_brand: string | null;
  categories: object[] | null;
};

/** Products per statement: memory stays bounded however many products a brand has. */
export const batchMax = 500;

/** Rewrites the copies of these products that changed. */
export async function refreshKept(em: EntityManager, storeId: number, productIds: number[]): Promise<void> {
  if (productIds.length === 0) return;
  const rows = await sql<KeptRow>(
    em,
    `select p.id, p.name, p.sku, p.barcode, b.name as brand, parent_b.name as parent_brand,
       (select array_agg(w.barcode) from catalog.product_weight_presets w where w.store_id = $2 and w.product_id = p.id) as presets,
       (select json_agg(json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) order by c.position, c.name, c.id)
        from catalog.product_categories pc join catalog.categories c on c.id = pc.category_id and c.store_id = $2
        where pc.store_id = $2 and pc.product_id = p.id) as categories
     from catalog.products p left join catalog.brands b on b.id = p.brand_id and b.store_id = $2
       left join catalog.products parent on parent.id = p.parent_id and parent.store_id = $2
       left join catalog.brands parent_b on parent_b.id = parent.brand_id and parent_b.store_id = $2
     where p.store_id = $2 and p.id = any ($1::bigint[])`,
    [productIds, storeId],
  );
  const kept = rows.map(({ id, name, sku, barcode, presets, brand, parent_brand, categories }) => ({
    id,
    brand,
    categories: categories ?? [],
    text: searchText([name, sku, barcode, ...(presets ?? []), brand, parent_brand]),
  }));
  await sql(
    em,
    `update catalog.products p set search_text = x.text, brand_name = x.brand, category_list = x.categories
     from json_to_recordset($1::json) as x(id bigint, text text, brand text, categories jsonb)
     where p.store_id = $2 and p.id = x.id and (p.search_text, p.brand_name, p.category_list) is distinct from (x.text, x.brand, x.categories)`,
    [JSON.stringify(kept), storeId],
  );
}

/** Search finds a variation by its parent's brand: its text is rewritten when the brand is renamed or the parent gets another brand. */
export async function refreshVariations(em: EntityManager, storeId: number, parentIds: number[]): Promise<void> {
  for (let from = 0; from < parentIds.length; from += batchMax) {
    const variations = await lockLiving(em, storeId, 'parent_id = any ($2::bigint[])', parentIds.slice(from, from + batchMax));
    await refreshKept(em, storeId, variations);
  }
}
