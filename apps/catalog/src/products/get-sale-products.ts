/** Reads what a sale needs of its products, in one statement. SQL text, as every sale at the register runs it. */
import type { Row } from '@store/db';
import type { Verb } from '../catalog.ts';
import { bestPriceColumn } from './product.query.ts';
import type { Product } from './product.ts';
import { effectivePrice } from './product.view.ts';

const statement = `
  select p.id, p.name, p.sku, p.product_type, p.has_variations, p.price, p.cost, p.block_manual_discounts, ${bestPriceColumn}
  from catalog.products p where p.store_id = $1 and p.id = any ($3::bigint[]) and p.deleted_at is null order by p.id`;

type SoldRow = Pick<
  Row<typeof Product>,
  'id' | 'name' | 'sku' | 'product_type' | 'has_variations' | 'price' | 'cost' | 'block_manual_discounts'
> & { best_price: string | null };

/** Asked by sales before it writes a sale; inactive products sell too (D219). */
export const getSaleProducts: Verb<'GetSaleProducts'> = async (app, request, call) => {
  const values = [call.caller.storeId, app.db.clock.now(), (request.ids ?? []).map(Number)];
  const rows = await app.db.read<SoldRow>(statement, values);
  return {
    products: rows.map((row) => ({
      id: row.id,
      name: row.name,
      sku: row.sku ?? undefined,
      effective_price: effectivePrice(row),
      cost: row.cost ?? undefined,
      block_manual_discounts: row.block_manual_discounts,
      has_variations: row.has_variations,
      is_bundle: row.product_type === 'bundle',
    })),
  };
};
