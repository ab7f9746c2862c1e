import { sql } from '@store/db';
import type { SetPriceRequest__Output } from '@store/protos/catalog/v1/SetPriceRequest.ts';
import type { SetPriceResponse } from '@store/protos/catalog/v1/SetPriceResponse.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { emitProducts } from '../products/emit-products.ts';

/**
 * The price part of PATCH /products/bulk_update, 10,000 products in a few statements; those that already cost that
 * much stay as they are. It commits before inventory's part, so it keeps the Idempotency-Key by itself: a request that
 * is repeated because inventory's part failed must not undo what others have priced meanwhile (decision D185).
 */
export async function setPrice(
  app: Catalog,
  request: SetPriceRequest__Output,
  call: Call,
): Promise<SetPriceResponse | Reply<SetPriceResponse>> {
  const { caller } = call;
  const price = request.price ?? '0.00';
  return change({ db: app.db, call, response: 'store.catalog.v1.SetPriceResponse' }, async (em) => {
    const stored = await sql<{ id: string; price: string }>(
      em,
      'select id, price from catalog.products where store_id = $1 and id = any ($2::bigint[]) and deleted_at is null order by id for update',
      [caller.storeId, request.product_ids ?? []],
    );
    const changed = stored.filter((product) => product.price !== price);
    await sql(em, 'update catalog.products set price = $3, updated_at = $4 where store_id = $1 and id = any ($2::bigint[])', [
      caller.storeId,
      changed.map((product) => product.id),
      price,
      app.db.clock.now(),
    ]);
    await emitProducts(
      em,
      app,
      caller,
      changed.map((product) => ({
        id: Number(product.id),
        name: 'product.updated',
        action: 'product.update',
        before: { price: product.price },
        after: { price },
      })),
    );
    return { changes: stored.map((product) => ({ product_id: Number(product.id), old_price: product.price, new_price: price })) };
  });
}
