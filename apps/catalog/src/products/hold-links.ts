/**
 * The effective price depends on more than the product's row: categories and their tree, parent and promotions.
 * A transaction that links a product and one that writes a promotion do not see each other's rows, so they exclude each other.
 */
import { type EntityManager, sql } from '@store/db';
import type { ProductAccepted } from './product.input.ts';

/**
 * Shared for writes of links to categories, parents and exclusions; exclusive for changes of the tree or a promotion. Held until
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
