import { type EntityManager, sql } from '@store/db';
import { listFields } from './product.columns.ts';
import type { ProductLists } from './product.input.ts';

/** The lists that are about to be written, as they are now: the same keys as `listFields(lists)`. */
export async function currentLists(em: EntityManager, storeId: number, id: number, lists: ProductLists): Promise<Record<string, unknown>> {
  if (Object.keys(lists).length === 0) return {};
  const [row] = await sql<{
    categories: number[];
    centers: number[];
    barcodes: NonNullable<ProductLists['barcodes']>;
    presets: NonNullable<ProductLists['presets']>;
  }>(
    em,
    `select
       (select coalesce(json_agg(category_id order by category_id), '[]') from catalog.product_categories where store_id = $2 and product_id = $1) as categories,
       (select coalesce(json_agg(revenue_center_id order by revenue_center_id), '[]') from catalog.product_revenue_centers
        where store_id = $2 and product_id = $1) as centers,
       (select additional_barcodes from catalog.products where store_id = $2 and id = $1) as barcodes,
       (select coalesce(json_agg(json_build_object('weight', weight::text, 'label', label, 'barcode', barcode, 'price', price::text) order by id), '[]')
        from catalog.product_weight_presets where store_id = $2 and product_id = $1) as presets`,
    [id, storeId],
  );
  return listFields({
    ...(lists.categoryIds && { categoryIds: row!.categories }),
    ...(lists.revenueCenterIds && { revenueCenterIds: row!.centers }),
    ...(lists.barcodes && { barcodes: row!.barcodes.map(({ code, label }) => ({ code, label })) }),
    ...(lists.presets && { presets: row!.presets }),
  });
}
