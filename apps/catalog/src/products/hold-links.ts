/**
 * What a product costs hangs on more than its row: on its categories and their tree, its parent and the store's promotions.
 * A transaction that gives a product such a link and one that makes a promotion do not see each other's rows, so they take turns.
 */
import { type EntityManager, sql } from '@store/db';
import type { ProductAccepted } from './product.input.ts';

/**
 * Shared by who links products to categories, parents and exclusions; alone by who changes the tree or a promotion. Until
 * the commit, and before any row is locked.
 */
export async function holdLinks(em: EntityManager, storeId: number, how: 'shared' | 'alone'): Promise<void> {
  const lock = how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await sql(em, `select ${lock}(hashtext('catalog.links'), hashtext($1::text))`, [storeId]);
}

/** Whether the write of a product may change which promotions it or its variations have. */
export function changesLinks({ values, lists }: ProductAccepted): boolean {
  return lists.categoryIds !== undefined || values.parent_id !== undefined || values.exclude_from_promotions !== undefined;
}
