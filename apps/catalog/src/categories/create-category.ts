import { sqlOne } from '@store/db';
import { emit } from '@store/events';
import { invalid, missing, sentences } from '@store/problem';
import type { CategoryResponse } from '@store/protos/catalog/v1/CategoryResponse.ts';
import type { CreateCategoryRequest__Output } from '@store/protos/catalog/v1/CreateCategoryRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { repricedBy, variationIds } from '../products/repriced.ts';
import { touchProducts } from '../products/touch-products.ts';
import { assignmentOf, assignProducts, productErrors } from './assign-products.ts';
import { acceptCategory, freeSlug, slugOf } from './category.input.ts';
import { lockCategories } from './category.query.ts';
import { linkCenters, loadCategory, pathBelow, treeErrors } from './save-category.ts';

/** POST /categories (staff): without a slug, the name gives one that is free. */
export async function createCategory(
  app: Catalog,
  request: CreateCategoryRequest__Output,
  call: Call,
): Promise<CategoryResponse | Reply<CategoryResponse>> {
  if (!request.category) throw missing('category');
  const { storeId } = call.caller;
  const accepted = acceptCategory({ name: '', ...request.category });
  const { values, revenueCenterIds, productIds } = accepted;
  return change({ db: app.db, call, response: 'store.catalog.v1.CategoryResponse', status: 201 }, async (em) => {
    const rows = await lockCategories(em, storeId);
    const errors = {
      ...accepted.errors,
      ...(await treeErrors(em, storeId, rows, accepted)),
      ...(await productErrors(em, storeId, productIds)),
    };
    if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
    const category = {
      name: values.name ?? '',
      parent_id: values.parent_id ?? null,
      slug: values.slug ?? freeSlug(slugOf(values.name ?? ''), new Set(rows.map((row) => row.slug))),
      icon: values.icon ?? null,
      icon_url: values.icon_url ?? null,
      color: values.color ?? null,
      position: values.position ?? 0,
      store_type: values.store_type ?? null,
      age_restricted: values.age_restricted ?? false,
      active: values.active ?? true,
    };
    const { id } = await sqlOne<{ id: string }>(
      em,
      `insert into catalog.categories
         (store_id, ancestor_ids, created_at, updated_at, name, parent_id, slug, icon, icon_url, color, position, store_type, age_restricted, active)
       values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id`,
      [storeId, pathBelow(rows, category.parent_id), app.db.clock.now(), ...Object.values(category)],
    );
    await linkCenters(em, Number(id), revenueCenterIds);
    const assigned = await assignmentOf(em, storeId, Number(id), productIds);
    if (assigned) {
      const candidates = () => variationIds(em, storeId, assigned.moved);
      const repriced = await repricedBy(em, app, call.caller, candidates, () => assignProducts(em, Number(id), assigned));
      await touchProducts(em, app, call.caller, [...assigned.moved, ...repriced]);
    }
    await emit(em, app.outbox, call.caller, [
      {
        name: 'category.created',
        aggregate: `category:${id}`,
        audit: {
          action: 'category.create',
          resource_type: 'Category',
          resource_id: Number(id),
          before: null,
          after: { ...category, revenue_center_ids: revenueCenterIds ?? [], ...(assigned && { product_ids: assigned.after }) },
        },
      },
    ]);
    return { category: await loadCategory(em, storeId, Number(id)) };
  });
}
