import { sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Done } from '@store/protos/api/v1/Done.ts';
import type { IdRequest__Output } from '@store/protos/catalog/v1/IdRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { holdLinks } from '../products/hold-links.ts';
import { touchProducts } from '../products/touch-products.ts';
import { hasShownPrices, lockPromotion, promotedProducts } from './promotion.ts';
import { draftOf } from './save-promotion.ts';

/** DELETE /promotions/:id (staff): products that it made cheaper are told. */
export async function deletePromotion(app: Catalog, request: IdRequest__Output, call: Call): Promise<Done | Reply<Done>> {
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Promotion');
  const { caller } = call;
  return change({ db: app.db, call, response: 'store.api.v1.Done' }, async (em) => {
    await holdLinks(em, caller.storeId, 'alone');
    const row = await lockPromotion(em, caller.storeId, id);
    const products = hasShownPrices(row, app.db.clock.now()) ? await promotedProducts(em, caller.storeId, id) : [];
    await sql(em, 'delete from catalog.promotions where store_id = $1 and id = $2', [caller.storeId, id]);
    await touchProducts(em, app, caller, products);
    await emit(em, app.outbox, caller, [
      {
        name: 'promotion.deleted',
        aggregate: `promotion:${id}`,
        audit: { action: 'promotion.delete', resource_type: 'Promotion', resource_id: id, before: draftOf(row), after: null },
      },
    ]);
    return { success: true, message: 'Promotion deleted' };
  });
}
