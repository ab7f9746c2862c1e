import type { Verb } from '../catalog.ts';
import { tables } from '../tables.ts';

/** What inventory, sales and purchasing need to know of products before they write about them. */
export const getStockProducts: Verb<'GetStockProducts'> = async (app, request, { caller }) => {
  const products = tables.selectFrom('products').select(['id', 'name', 'sku', 'product_type', 'has_variations', 'price', 'unit_type']);
  const living = products.where('store_id', '=', caller.storeId).where('deleted_at', 'is', null).orderBy('id');
  const ids = (request.ids ?? []).map(Number);
  // PostgreSQL keeps the plan for one id, which is what each adjustment asks for; that for any number it makes anew.
  const rows = await app.db.rows(living.where((eb) => (ids.length === 1 ? eb('id', '=', ids[0]!) : eb('id', '=', eb.fn.any(eb.val(ids))))));
  return { products: rows.map((row) => ({ ...row, sku: row.sku ?? undefined })) };
};
