import type { InferEntity } from '@mikro-orm/core';
import { applyChanges, changedFields, type Difference, type EntityManager, flushRecord, lockRecord, sql } from '@store/db';
import { parseId, refuseErrors, sent } from '@store/input';
import { notFound } from '@store/problem';
import type { Caller } from '@store/rpc';
import { change, recordChange } from '@store/service';
import type { Catalog, Verb } from '../catalog.ts';
import { repricedBy, withVariations } from '../products/repriced.ts';
import { reorderCategories, touchProducts } from '../products/touch-products.ts';
import { linkCenters } from '../revenue-centers/link-centers.ts';
import { type Assignment, assignmentOf, assignProducts, productErrors } from './assign-products.ts';
import { acceptCategory, type CategoryAccepted } from './category.input.ts';
import { type CategoryRow, lockCategories, productsBelow, productsIn } from './category.query.ts';
import { Category } from './category.ts';
import { loadCategory, pathBelow, treeErrors } from './save-category.ts';

/** PATCH /categories/:id (staff): a new name or slug emits product.updated per product; a move includes what is below. */
export const updateCategory: Verb<'UpdateCategory'> = async (app, request, call) => {
  const id = parseId(request.id);
  const accepted = acceptCategory(sent('category', request.category));
  if (id === undefined) throw notFound('Category');
  const { caller } = call;
  return change(app, call, async (em) => {
    const { row, rows, record } = await lockChecked(em, caller.storeId, id, accepted);
    const stored = writable(row);
    const category = merged(stored, accepted);
    const difference = changedFields(stored, category);
    const assigned = await assignmentOf(em, caller.storeId, id, accepted.productIds);
    if (difference || assigned) {
      await write(em, app, caller, { record, category, difference, assigned, path: pathBelow(rows, category.parent_id) });
      const before = { ...difference?.before, ...(assigned && { product_ids: assigned.before }) };
      const after = { ...difference?.after, ...(assigned && { product_ids: assigned.after }) };
      await recordChange(em, app, call, Category, id, { before, after });
    }
    return { category: await loadCategory(em, caller.storeId, id) };
  });
};

/** The category and its tree, locked; throws when the sent values are invalid. */
async function lockChecked(em: EntityManager, storeId: number, id: number, accepted: CategoryAccepted) {
  const rows = await lockCategories(em, storeId);
  const row = rows.find((candidate) => candidate.id === id);
  if (!row) throw notFound('Category');
  const record = await lockRecord(em, Category, id);
  const { position, slug } = accepted.values;
  refuseErrors({
    // A default, and a slug that a name gave, are for creation only (D47).
    ...(position === null && { position: ["can't be blank"] }),
    ...(slug === null && { slug: ["can't be blank"] }),
    ...accepted.errors,
    ...(await treeErrors(em, storeId, rows, accepted, id)),
    ...(await productErrors(em, storeId, accepted.productIds, id)),
  });
  return { row, rows, record };
}

type CategoryRecord = InferEntity<typeof Category>;

interface Write {
  record: CategoryRecord;
  category: Writable;
  difference: Difference | undefined;
  assigned: Assignment | undefined;
  path: number[];
}

/**
 * Writes the category and emits product.updated for products that show its new name or slug, that came or went, or whose
 * price changed. A new position only reorders what they show, which emits nothing.
 */
async function write(
  em: EntityManager,
  app: Catalog,
  caller: Caller,
  { record, category, difference, assigned, path }: Write,
): Promise<void> {
  const { storeId } = caller;
  const { id } = record;
  const changed = difference?.after ?? {};
  const isMove = 'parent_id' in changed;
  const moved = assigned?.moved ?? [];
  const candidates = async () => withVariations(em, storeId, [...moved, ...(isMove ? await productsBelow(em, storeId, id) : [])]);
  const repriced = await repricedBy(em, app, caller, candidates, async () => {
    if (difference) await writeFields(em, record, category, app.db.clock.now());
    if (isMove) await moveBranch(em, storeId, id, path);
    if (assigned) await assignProducts(em, storeId, id, assigned);
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
  return { ...fields, parent_id, revenue_center_ids };
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

async function writeFields(em: EntityManager, record: CategoryRecord, category: Writable, now: Date): Promise<void> {
  const { revenue_center_ids, ...fields } = category;
  applyChanges(record, fields, now);
  record.updatedAt = now;
  await flushRecord(em, Category);
  if (revenue_center_ids) await linkCenters(em, 'category', record.storeId, record.id, revenue_center_ids);
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
