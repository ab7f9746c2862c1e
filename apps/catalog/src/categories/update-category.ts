import { type EntityManager, sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { invalid, missing, notFound, sentences } from '@store/problem';
import type { CategoryResponse } from '@store/protos/catalog/v1/CategoryResponse.ts';
import type { UpdateCategoryRequest__Output } from '@store/protos/catalog/v1/UpdateCategoryRequest.ts';
import type { Call, Caller, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { changedFields, type Difference } from '../changed-fields.ts';
import { repricedBy, withVariations } from '../products/repriced.ts';
import { reorderCategories, touchProducts } from '../products/touch-products.ts';
import { type Assignment, assignmentOf, assignProducts, productErrors } from './assign-products.ts';
import { acceptCategory, type CategoryAccepted } from './category.input.ts';
import { type CategoryRow, lockCategories, lockCategory, productsBelow, productsIn } from './category.query.ts';
import { linkCenters, loadCategory, pathBelow, treeErrors } from './save-category.ts';

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
    const { row, rows } = await lockChecked(em, caller.storeId, id, accepted);
    const stored = writable(row);
    const category = merged(stored, accepted);
    const difference = changedFields(stored, category);
    const assigned = await assignmentOf(em, caller.storeId, id, accepted.productIds);
    if (difference || assigned) {
      await write(em, app, caller, { id, category, difference, assigned, path: pathBelow(rows, category.parent_id) });
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

/** The category and the tree it stands in, locked; throws when what was sent cannot be. */
async function lockChecked(em: EntityManager, storeId: number, id: number, accepted: CategoryAccepted) {
  const rows = await lockCategories(em, storeId);
  const row = rows.find((candidate) => Number(candidate.id) === id);
  if (!row) throw notFound('Category');
  await lockCategory(em, storeId, id);
  const { position, slug } = accepted.values;
  const errors = {
    // A default, and a slug that a name gave, are for creation only (decision D47).
    ...(position === null && { position: ["can't be blank"] }),
    ...(slug === null && { slug: ["can't be blank"] }),
    ...accepted.errors,
    ...(await treeErrors(em, storeId, rows, accepted, id)),
    ...(await productErrors(em, storeId, accepted.productIds, id)),
  };
  if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
  return { row, rows };
}

interface Write {
  id: number;
  category: Writable;
  difference: Difference | undefined;
  assigned: Assignment | undefined;
  path: number[];
}

/**
 * Writes the category and tells of the products that show its new name or slug, of those that came or went, and of those
 * that cost something else now. A new position changes only the order in which they show it, which tells of none.
 */
async function write(em: EntityManager, app: Catalog, caller: Caller, { id, category, difference, assigned, path }: Write): Promise<void> {
  const { storeId } = caller;
  const changed = difference?.after ?? {};
  const isMove = 'parent_id' in changed;
  const moved = assigned?.moved ?? [];
  const candidates = async () => withVariations(em, storeId, [...moved, ...(isMove ? await productsBelow(em, storeId, id) : [])]);
  const repriced = await repricedBy(em, app, caller, candidates, async () => {
    if (difference) await writeFields(em, app, storeId, id, category);
    if (isMove) await moveBranch(em, storeId, id, path);
    if (assigned) await assignProducts(em, id, assigned);
  });
  const isRenamed = 'name' in changed || 'slug' in changed;
  const shown = isRenamed || 'position' in changed ? await productsIn(em, storeId, id) : [];
  if (!isRenamed) await reorderCategories(em, storeId, shown);
  await touchProducts(em, app, caller, [...moved, ...repriced, ...(isRenamed ? shown : [])]);
}

type Writable = ReturnType<typeof writable>;

/** The fields of a category that staff write. */
export function writable(row: CategoryRow) {
  const { id, ancestor_ids, parent_id, revenue_center_ids, ...fields } = row;
  return { ...fields, parent_id: parent_id === null ? null : Number(parent_id), revenue_center_ids: revenue_center_ids.map(Number) };
}

/** What was sent over what is stored. */
function merged(stored: Writable, { values, revenueCenterIds }: CategoryAccepted): Writable {
  return {
    ...stored,
    ...values,
    slug: values.slug ?? stored.slug,
    position: values.position ?? stored.position,
    revenue_center_ids: revenueCenterIds ?? stored.revenue_center_ids,
  };
}

async function writeFields(em: EntityManager, app: Catalog, storeId: number, id: number, category: Writable): Promise<void> {
  await sql(
    em,
    `update catalog.categories set updated_at = $3, name = $4, parent_id = $5, slug = $6, icon = $7, icon_url = $8, color = $9,
       position = $10, store_type = $11, age_restricted = $12, active = $13 where store_id = $1 and id = $2`,
    [
      storeId,
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
    ],
  );
  await linkCenters(em, id, category.revenue_center_ids);
}

/** Rewrites the path of the category and of everything below it. */
async function moveBranch(em: EntityManager, storeId: number, id: number, path: number[]): Promise<void> {
  await sql(
    em,
    `update catalog.categories set ancestor_ids = case when id = $2 then $3::bigint[]
       else $3::bigint[] || ancestor_ids[array_position(ancestor_ids, $2::bigint):] end
     where store_id = $1 and (id = $2 or $2 = any (ancestor_ids))`,
    [storeId, id, path],
  );
}
