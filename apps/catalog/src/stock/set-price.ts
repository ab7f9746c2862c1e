import { type EntityManager, planByValues, type Row, sql } from '@store/db';
import type { Caller } from '@store/rpc';
import { change } from '@store/service';
import { pacedEach } from '@store/shares/asker';
import type { Catalog, Verb } from '../catalog.ts';
import { emitProducts } from '../products/emit-products.ts';
import { keptHere, relist } from '../products/kept-lists.ts';
import type { Product } from '../products/product.ts';

type Stored = Pick<Row<typeof Product>, 'id' | 'price' | 'awaits_price' | 'name' | 'active' | 'parent_id'>;

/**
 * The price part of PATCH /products/bulk_update, slice by slice in one transaction; those that already cost that
 * much stay as they are. It commits before inventory's part, so it keeps the Idempotency-Key by itself: a request that
 * is repeated because inventory's part failed must not undo what others have priced meanwhile (D185).
 */
export const setPrice: Verb<'SetPrice'> = async (app, request, call) => {
  const { caller } = call;
  const price = request.price ?? '0.00';
  const ids = request.product_ids ?? [];
  return change(app, call, async (em) => {
    planByValues(em, ids.length);
    const stored = await sql<Stored>(
      em,
      'select id, price, awaits_price, name, active, parent_id from catalog.products where store_id = $1 and id = any ($2::bigint[]) and deleted_at is null order by id for update',
      [caller.storeId, ids],
    );
    const changed = stored.filter((product) => product.price !== price);
    await pacedEach(changed, (slice) => setPriceOf(em, app, caller, slice, price));
    return { changes: stored.map((product) => ({ product_id: product.id, old_price: product.price, new_price: price })) };
  });
};

async function setPriceOf(em: EntityManager, app: Catalog, caller: Caller, products: Stored[], price: string): Promise<void> {
  const isPrice = Number(price) > 0;
  // The price puts those on sale that awaited it (D269).
  await sql(
    em,
    `${keptHere} update catalog.products set price = $3, updated_at = $4, active = active or (awaits_price is true and $3::numeric > 0),
       awaits_price = case when $3::numeric = 0 then awaits_price end
     where store_id = $1 and id = any ($2::bigint[])`,
    [caller.storeId, products.map((product) => product.id), price, app.db.clock.now()],
  );
  const shown = products.filter((product) => isPrice && product.awaits_price && !product.active && product.parent_id === null);
  relist(
    em,
    caller.storeId,
    shown.map(({ id, name }) => ({ id, name, was: false, is: true })),
  );
  await emitProducts(
    em,
    app,
    caller,
    products.map((product) => ({
      id: product.id,
      name: 'product.updated',
      action: 'product.update',
      before: { price: product.price, ...(isPrice && product.awaits_price && { active: false }) },
      after: { price, ...(isPrice && product.awaits_price && { active: true }) },
    })),
  );
}
