/** Writes the products directly in a category as one list (staff). */
import { itemsMax } from '@store/contract';
import type { EntityManager } from '@store/db';
import type { FieldErrors } from '@store/input';
import { linkCategories, unlinkCategories } from '../products/kept-lists.ts';
import { lockThese } from '../products/lock-living.ts';
import { productsIn } from './category.query.ts';

const productsMax = itemsMax('store.catalog.v1.CategoryInput').product_ids!;

/**
 * A field error when the list names a product that the store has not, or when the category has more than a list may
 * hold: replacing those is no list that a person keeps, and its audit entry would be too long for an event.
 */
export async function productErrors(
  em: EntityManager,
  storeId: number,
  productIds: number[] | undefined,
  categoryId?: number,
): Promise<FieldErrors> {
  if (!productIds) return {};
  const locked = await lockThese(em, storeId, productIds);
  if (locked.length !== productIds.length) return { product_ids: ['must exist'] };
  const before = categoryId === undefined ? [] : await productsIn(em, storeId, categoryId);
  return before.length > productsMax ? { product_ids: [`cannot replace more than ${productsMax}`] } : {};
}

export interface Assignment {
  before: number[];
  after: number[];
  /** Products that came or went. */
  moved: number[];
}

/** The changes that the list makes; undefined: none. */
export async function assignmentOf(
  em: EntityManager,
  storeId: number,
  categoryId: number,
  productIds: number[] | undefined,
): Promise<Assignment | undefined> {
  if (!productIds) return undefined;
  const before = await productsIn(em, storeId, categoryId);
  const wanted = new Set(productIds);
  const had = new Set(before);
  const moved = [...before.filter((id) => !wanted.has(id)), ...productIds.filter((id) => !had.has(id))];
  return moved.length === 0 ? undefined : { before, after: productIds, moved };
}

/** Replaces the list. */
export async function assignProducts(em: EntityManager, storeId: number, categoryId: number, { after, moved }: Assignment): Promise<void> {
  const wanted = new Set(after);
  const gone = moved.filter((id) => !wanted.has(id));
  await unlinkCategories(em, 'category_id = $2 and product_id = any ($3::bigint[])', [storeId, categoryId, gone]);
  const come = moved.filter((id) => wanted.has(id));
  await linkCategories(em, storeId, come, [categoryId]);
}
