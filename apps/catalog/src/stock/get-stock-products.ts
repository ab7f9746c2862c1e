import { compiledOnce } from '@store/db';
import type { Verb } from '../catalog.ts';
import { tables } from '../tables.ts';

const living = (storeId: number) =>
  tables
    .selectFrom('products')
    .select(['id', 'name', 'sku', 'product_type', 'has_variations', 'price', 'unit_type'])
    .where('store_id', '=', storeId)
    .where('deleted_at', 'is', null)
    .orderBy('id');
/** PostgreSQL keeps the plan for one id, the usual case; for several it plans each time. */
const one = compiledOnce((storeId: number, id: number) => living(storeId).where('id', '=', id));
const several = compiledOnce((storeId: number, ids: number[]) => living(storeId).where((eb) => eb('id', '=', eb.fn.any(eb.val(ids)))));

/** Reads what inventory, sales and purchasing need of products before they write. */
export const getStockProducts: Verb<'GetStockProducts'> = async (app, request, { caller }) => {
  const ids = (request.ids ?? []).map(Number);
  const rows = await (ids.length === 1 ? app.db.quickRows(one(caller.storeId, ids[0]!)) : app.db.rows(several(caller.storeId, ids)));
  return { products: rows.map((row) => ({ ...row, sku: row.sku ?? undefined })) };
};
