import type { SetPriceRequest__Output } from '@store/contract/gen/store/catalog/v1/SetPriceRequest.ts';
import type { SetPriceResponse } from '@store/contract/gen/store/catalog/v1/SetPriceResponse.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { emitProducts } from '../products/emit-products.ts';
import { diff } from '../products/product.columns.ts';
import { brandNames, lockById, updateProducts } from '../products/write-products.ts';

/**
 * The price part of PATCH /products/bulk_update; products that already cost that much stay as they are.
 * It commits before inventory's part, so it keeps the Idempotency-Key by itself: a request that is
 * repeated because inventory's part failed must not undo what others have priced meanwhile (decision D185).
 */
export async function setPrice(
  app: Catalog,
  request: SetPriceRequest__Output,
  call: Call,
): Promise<SetPriceResponse | Reply<SetPriceResponse>> {
  const { caller } = call;
  const price = request.price ?? '0.00';
  return change({ db: app.db, call, response: 'store.catalog.v1.SetPriceResponse' }, async (em) => {
    const stored = await lockById(em, caller.storeId, (request.product_ids ?? []).map(Number));
    const changed = stored.flatMap(({ id, draft }) => {
      const difference = diff(draft, { ...draft, price });
      return difference ? [{ id, draft: { ...draft, price }, difference }] : [];
    });
    const brands = await brandNames(
      em,
      caller.storeId,
      changed.map((row) => row.draft.brand_id),
    );
    await updateProducts(em, caller.storeId, app.db.clock.now(), changed, brands);
    await emitProducts(
      em,
      app,
      caller,
      changed.map(({ id, difference }) => ({ id, name: 'product.updated', action: 'product.update', ...difference })),
    );
    return { changes: stored.map(({ id, draft }) => ({ product_id: id, old_price: String(draft.price), new_price: price })) };
  });
}
