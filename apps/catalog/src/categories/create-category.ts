import { insertRecord } from '@store/db';
import { refuseErrors, sent } from '@store/input';
import { invalid } from '@store/problem';
import { change, recordChange } from '@store/service';
import type { Verb } from '../catalog.ts';
import { repricedBy, variationIds } from '../products/repriced.ts';
import { touchProducts } from '../products/touch-products.ts';
import { linkCenters } from '../revenue-centers/link-centers.ts';
import { assignmentOf, assignProducts, productErrors } from './assign-products.ts';
import { acceptCategory, freeSlug, slugOf } from './category.input.ts';
import { lockCategories } from './category.query.ts';
import { Category } from './category.ts';
import { loadCategory, pathBelow, treeErrors } from './save-category.ts';

/** All of them are one answer. */
const categoriesMax = 2_000;

/** POST /categories (staff): without a slug, the name gives one that is free. */
export const createCategory: Verb<'CreateCategory'> = async (app, request, call) => {
  const accepted = acceptCategory({ name: '', ...sent('category', request.category) });
  const { storeId } = call.caller;
  const { values, revenueCenterIds, productIds } = accepted;
  return change(app, call, async (em) => {
    const rows = await lockCategories(em, storeId);
    if (rows.length >= categoriesMax) throw invalid([`at most ${categoriesMax} categories per store`]);
    refuseErrors({
      ...accepted.errors,
      ...(await treeErrors(em, storeId, rows, accepted)),
      ...(await productErrors(em, storeId, productIds)),
    });
    const fields = {
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
    const path = { ancestor_ids: pathBelow(rows, fields.parent_id) };
    const category = await insertRecord(em, Category, { ...fields, ...path }, app.db.clock.now());
    if (revenueCenterIds) await linkCenters(em, 'category', storeId, category.id, revenueCenterIds);
    const assigned = await assignmentOf(em, storeId, category.id, productIds);
    if (assigned) {
      const candidates = () => variationIds(em, storeId, assigned.moved);
      const repriced = await repricedBy(em, app, call.caller, candidates, () => assignProducts(em, storeId, category.id, assigned));
      await touchProducts(em, app, call.caller, [...assigned.moved, ...repriced]);
    }
    const after = { ...fields, revenue_center_ids: revenueCenterIds ?? [], ...(assigned && { product_ids: assigned.after }) };
    await recordChange(em, app, call, Category, category.id, { before: null, after });
    return { category: await loadCategory(em, storeId, category.id) };
  });
};
