/** GET /products/low_stock (staff): what should be ordered. */
import { cappedList } from '@store/service';
import type { Verb } from '../catalog.ts';
import { type ProductRow, productsStatement } from './product.query.ts';
import { productView } from './product.view.ts';

const shownMax = 100;

/** Stock of a product with variations is theirs, so only they are low. */
const low = `p.store_id = $1 and p.active and p.deleted_at is null and not p.has_variations
  and p.low_stock_threshold is not null and p.stock <= p.low_stock_threshold`;
const page = productsStatement(`select p.* from catalog.products p where ${low} order by p.name, p.id limit $3`);
const total = `select count(*)::int as total from catalog.products p where ${low}`;

export const listLowStock: Verb<'ListLowStock'> = async (app, _request, { caller }) => {
  const [counted] = await app.db.read<{ total: number }>(total, [caller.storeId]);
  return cappedList({
    max: shownMax,
    read: (limit) => app.db.read<ProductRow>(page, [caller.storeId, app.db.clock.now(), limit]),
    answer: (rows) => ({ products: rows.map((row) => productView(row, undefined, caller)), total_count: counted!.total }),
  });
};
