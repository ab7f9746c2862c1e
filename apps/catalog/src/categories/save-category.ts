/** Shared steps of creating and changing a category. */

import { askIn, type EntityManager, taken } from '@store/db';
import type { FieldErrors } from '@store/input';
import type { Category } from '@store/protos/catalog/v1.ts';
import { allExist } from '../products/references.ts';
import type { CategoryAccepted } from './category.input.ts';
import { type CategoryRow, categoriesOf, productCounts } from './category.query.ts';
import { oneCategory } from './category.view.ts';

/** Most levels of the tree, and so most names in a full name (D260). */
const levelsMax = 10;

/** A field error for each invalid reference. */
export async function treeErrors(
  em: EntityManager,
  storeId: number,
  rows: CategoryRow[],
  { values, revenueCenterIds }: CategoryAccepted,
  id?: number,
): Promise<FieldErrors> {
  const errors: FieldErrors = values.parent_id == null ? {} : parentErrors(rows, values.parent_id, id);
  if (values.slug != null && rows.some((row) => row.slug === values.slug && row.id !== id)) errors.slug = [taken];
  if (revenueCenterIds && !(await allExist(em, storeId, 'revenue_centers', revenueCenterIds))) errors.revenue_center_ids = ['must exist'];
  return errors;
}

/** No category below itself, and no tree deeper than the limit; deeper trees from before the limit stay. */
function parentErrors(rows: CategoryRow[], parentId: number, id: number | undefined): FieldErrors {
  const parent = rows.find((row) => row.id === parentId);
  if (!parent) return { parent_id: ['must exist'] };
  const isBelow = id !== undefined && [parent.id, ...parent.ancestor_ids].includes(id);
  if (isBelow) return { parent_id: ['must not be the category itself or one below it'] };
  const stays = id !== undefined && rows.some((row) => row.id === id && row.parent_id === parentId);
  return !stays && parent.ancestor_ids.length + 1 + levelsOf(rows, id) > levelsMax ? { parent: ['is too deep'] } : {};
}

/** Levels of the category with what is below it; 1 of a new one. */
function levelsOf(rows: CategoryRow[], id: number | undefined): number {
  if (id === undefined) return 1;
  const below = rows.filter(({ ancestor_ids }) => ancestor_ids.includes(id));
  return below.reduce((most, { ancestor_ids }) => Math.max(most, ancestor_ids.length - ancestor_ids.indexOf(id) + 1), 1);
}

/** The path from the top to the children of `parentId`. */
export function pathBelow(rows: CategoryRow[], parentId: number | null): number[] {
  const parent = rows.find((row) => row.id === parentId);
  return parent ? [...parent.ancestor_ids, parent.id] : [];
}

/** The category with all below it, empty and inactive ones included, read in the transaction. */
export async function loadCategory(em: EntityManager, storeId: number, id: number): Promise<Category | undefined> {
  const ask = askIn(em);
  const rows = await categoriesOf(ask, storeId);
  const counts = await productCounts(ask, storeId, rows, null);
  return oneCategory(rows, counts, id);
}
