import { sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Done } from '@store/protos/api/v1/Done.ts';
import type { IdRequest__Output } from '@store/protos/catalog/v1/IdRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { refreshVariations } from '../products/denormalised-names.ts';
import { touchProducts } from '../products/touch-products.ts';
import { lockBrand, lockProductsOf } from './brand.ts';

/** DELETE /brands/:id (staff): its products stay and lose it. */
export async function deleteBrand(app: Catalog, request: IdRequest__Output, call: Call): Promise<Done | Reply<Done>> {
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Brand');
  const { caller } = call;
  return change({ db: app.db, call, response: 'store.api.v1.Done' }, async (em) => {
    const { name, description } = await lockBrand(em, caller.storeId, id);
    const products = await lockProductsOf(em, caller.storeId, id);
    await sql(em, 'delete from catalog.brands where store_id = $1 and id = $2', [caller.storeId, id]);
    await touchProducts(em, app, caller, products);
    await refreshVariations(em, caller.storeId, products);
    await emit(em, app.outbox, caller, [
      {
        name: 'brand.deleted',
        aggregate: `brand:${id}`,
        audit: { action: 'brand.delete', resource_type: 'Brand', resource_id: id, before: { name, description }, after: null },
      },
    ]);
    return { success: true, message: 'Brand deleted' };
  });
}
