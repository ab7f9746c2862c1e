import { parseId } from '@store/contract';
import type { CategoryResponse } from '@store/contract/gen/store/catalog/v1/CategoryResponse.ts';
import type { UpdateCategoryRequest__Output } from '@store/contract/gen/store/catalog/v1/UpdateCategoryRequest.ts';
import { type EntityManager, sql } from '@store/db';
import { emit } from '@store/events';
import { invalid, missing, notFound, sentences } from '@store/problem';
import type { Call, Caller, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { changedFields } from '../changed-fields.ts';
import { reorderCategories, touchProducts } from '../products/touch-products.ts';
import { assignProducts, checkProducts } from './assign-products.ts';
import { acceptCategory, type CategoryAccepted } from './category.input.ts';
import { type CategoryRow, lockCategories, productsIn } from './category.query.ts';
import { checkCategory, linkCenters, loadCategory, pathBelow } from './save-category.ts';

/** PATCH /categories/:id (staff): a new name or slug is told of every product that shows it; a move takes the branch along. */
export async function updateCategory(
  app: Catalog,
  request: UpdateCategoryRequest__Output,
  call: Call,
): Promise<CategoryResponse | Reply<CategoryResponse>> {
  const id = parseId(request.id);
  if (!request.category) throw missing('category');
  if (id === undefined) throw notFound('Category');
  const { caller } = call;
  const accepted = acceptCategory(request.category);
  return change({ db: app.db, call, response: 'store.catalog.v1.CategoryResponse' }, async (em) => {
    const rows = await lockCategories(em, caller.storeId);
    const row = rows.find((candidate) => Number(candidate.id) === id);
    if (!row) throw notFound('Category');
    await checkCategory(em, caller.storeId, rows, accepted, id);
    await checkProducts(em, caller.storeId, accepted);
    if (Object.keys(accepted.errors).length > 0) throw invalid(sentences(accepted.errors));
    const stored = writable(row);
    const category = merged(stored, accepted);
    const difference = changedFields(stored, category);
    if (difference) {
      await write(em, app, caller.storeId, id, category);
      if ('parent_id' in difference.after) await moveBranch(em, caller.storeId, id, pathBelow(rows, category.parent_id));
      await tellProducts(em, app, caller, id, difference.after);
    }
    const assigned = await assignProducts(em, app, caller, id, accepted.productIds);
    if (difference || assigned) {
      const before = { ...difference?.before, ...(assigned && { product_ids: assigned.before }) };
      const after = { ...difference?.after, ...(assigned && { product_ids: assigned.after }) };
      await emit(em, app.outbox, caller, [
        {
          name: 'category.updated',
          aggregate: `category:${id}`,
          audit: { action: 'category.update', resource_type: 'Category', resource_id: id, before, after },
        },
      ]);
    }
    return { category: await loadCategory(em, caller.storeId, id) };
  });
}

/** A new name or slug changes what its products show; a new position only the order in which they show it. */
async function tellProducts(em: EntityManager, app: Catalog, caller: Caller, id: number, after: Record<string, unknown>): Promise<void> {
  const renamed = 'name' in after || 'slug' in after;
  if (!renamed && !('position' in after)) return;
  const products = await productsIn(em, caller.storeId, id);
  if (renamed) await touchProducts(em, app, caller, products);
  else await reorderCategories(em, caller.storeId, products);
}

type Writable = ReturnType<typeof writable>;

/** The fields of a category that staff write. */
export function writable(row: CategoryRow) {
  const { id, ancestor_ids, parent_id, revenue_center_ids, ...fields } = row;
  return { ...fields, parent_id: parent_id === null ? null : Number(parent_id), revenue_center_ids: revenue_center_ids.map(Number) };
}

/** What was sent over what is stored; a blank slug keeps the one there is, as links hold it. */
function merged(stored: Writable, { values, revenueCenterIds }: CategoryAccepted): Writable {
  return { ...stored, ...values, slug: values.slug ?? stored.slug, revenue_center_ids: revenueCenterIds ?? stored.revenue_center_ids };
}

async function write(em: EntityManager, app: Catalog, storeId: number, id: number, category: Writable): Promise<void> {
  await sql(
    em,
    `update catalog.categories set updated_at = $2, name = $3, parent_id = $4, slug = $5, icon = $6, icon_url = $7, color = $8,
       position = $9, store_type = $10, age_restricted = $11, active = $12 where id = $1 and store_id = $13`,
    [
      id,
      app.db.clock.now(),
      category.name,
      category.parent_id,
      category.slug,
      category.icon,
      category.icon_url,
      category.color,
      category.position,
      category.store_type,
      category.age_restricted,
      category.active,
      storeId,
    ],
  );
  await linkCenters(em, id, category.revenue_center_ids);
}

/** Rewrites the path of the category and of everything below it. */
async function moveBranch(em: EntityManager, storeId: number, id: number, path: number[]): Promise<void> {
  await sql(
    em,
    `update catalog.categories set ancestor_ids = case when id = $1 then $2::bigint[]
       else $2::bigint[] || ancestor_ids[array_position(ancestor_ids, $1::bigint):] end
     where store_id = $3 and (id = $1 or $1 = any (ancestor_ids))`,
    [id, path, storeId],
  );
}
