import type { Row } from '@store/db';
import type { Verb } from '../catalog.ts';
import type { Product } from '../products/product.ts';

type StockProduct = Pick<Row<typeof Product>, 'id' | 'name' | 'sku' | 'product_type' | 'has_variations' | 'price' | 'unit_type'>;

const living = (condition: string) => `
  select id, name, sku, product_type, has_variations, price, unit_type
  from catalog.products where store_id = $1 and ${condition} and deleted_at is null order by id`;
/** PostgreSQL keeps the plan for one id, the usual case; for several it plans each time. */
const one = living('id = $2');
const several = living('id = any ($2::bigint[])');

/** Reads what inventory, sales and purchasing need of products before they write. */
export const getStockProducts: Verb<'GetStockProducts'> = async (app, request, { caller }) => {
  const ids = (request.ids ?? []).map(Number);
  const rows = await (ids.length === 1
    ? app.db.read<StockProduct>(one, [caller.storeId, ids[0]], { short: true })
    : app.db.read<StockProduct>(several, [caller.storeId, ids]));
  return { products: rows.map((row) => ({ ...row, sku: row.sku ?? undefined })) };
};
