import { lockRecord, sql, sqlUnawaited } from '@store/db';
import { parseId } from '@store/input';
import { invalid, notFound } from '@store/problem';
import { change, recordChange } from '@store/service';
import type { Verb } from '../catalog.ts';
import { repricedBy, variationIds } from '../products/repriced.ts';
import { touchProducts } from '../products/touch-products.ts';
import { lockCategories, productsIn } from './category.query.ts';
import { Category } from './category.ts';
import { writable } from './update-category.ts';

/** DELETE /categories/:id (staff): its products stay and lose it. */
export const deleteCategory: Verb<'DeleteCategory'> = (app, request, call) =>
  change(app, call, async (em) => {
    const { caller } = call;
    const { storeId } = caller;
    const id = parseId(request.id);
    const rows = await lockCategories(em, storeId);
    const row = rows.find((candidate) => candidate.id === id);
    if (!row) throw notFound('Category');
    if (rows.some((other) => other.parent_id === row.id)) throw invalid(['Category has subcategories']);
    // A product or promotion that is being given the category waits here, or is seen below.
    const category = await lockRecord(em, Category, row.id);
    const promotions = await sql(em, 'select 1 from catalog.promotions where store_id = $1 and category_id = $2 limit 1', [
      storeId,
      row.id,
    ]);
    // Deleting it would end a promotion that nobody asked to end.
    if (promotions.length > 0) throw invalid(['Category has promotions']);
    const products = await productsIn(em, storeId, row.id);
    // A promotion on a category above covered them too.
    const candidates = () => variationIds(em, storeId, products);
    const repriced = await repricedBy(em, app, caller, candidates, async () => {
      await em.remove(category).flush();
      sqlUnawaited(em, 'delete from catalog.category_totals where store_id = $1 and category_id = $2', [storeId, row.id]);
    });
    await touchProducts(em, app, caller, [...products, ...repriced]);
    await recordChange(em, app, call, Category, row.id, { before: writable(row), after: null });
    return { success: true, message: 'Category deleted' };
  });
