import { sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { invalid, notFound } from '@store/problem';
import type { Done } from '@store/protos/api/v1/Done.ts';
import type { IdRequest__Output } from '@store/protos/catalog/v1/IdRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { repricedBy, variationIds } from '../products/repriced.ts';
import { touchProducts } from '../products/touch-products.ts';
import { lockCategories, lockCategory, productsIn } from './category.query.ts';
import { writable } from './update-category.ts';

/** DELETE /categories/:id (staff): its products stay and lose it. */
export async function deleteCategory(app: Catalog, request: IdRequest__Output, call: Call): Promise<Done | Reply<Done>> {
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Category');
  const { caller } = call;
  return change({ db: app.db, call, response: 'store.api.v1.Done' }, async (em) => {
    const rows = await lockCategories(em, caller.storeId);
    const row = rows.find((candidate) => Number(candidate.id) === id);
    if (!row) throw notFound('Category');
    if (rows.some((other) => Number(other.parent_id) === id)) throw invalid(['Category has subcategories']);
    // Whoever points a product or a promotion at it meanwhile waits here, or is seen below.
    await lockCategory(em, caller.storeId, id);
    const promotions = await sql(em, 'select 1 from catalog.promotions where store_id = $1 and category_id = $2 limit 1', [
      caller.storeId,
      id,
    ]);
    // Deleting it would end a promotion without anybody having said so.
    if (promotions.length > 0) throw invalid(['Category has promotions']);
    const products = await productsIn(em, caller.storeId, id);
    // A promotion on a category above covered them too.
    const candidates = () => variationIds(em, caller.storeId, products);
    const repriced = await repricedBy(em, app, caller, candidates, async () => {
      await sql(em, 'delete from catalog.categories where store_id = $1 and id = $2', [caller.storeId, id]);
    });
    await touchProducts(em, app, caller, [...products, ...repriced]);
    await emit(em, app.outbox, caller, [
      {
        name: 'category.deleted',
        aggregate: `category:${id}`,
        audit: { action: 'category.delete', resource_type: 'Category', resource_id: id, before: writable(row), after: null },
      },
    ]);
    return { success: true, message: 'Category deleted' };
  });
}
