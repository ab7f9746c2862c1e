/** Reads of loyalty tiers, and the lock under which tiers and what depends on them change. */
import { columnsOf, type EntityManager, sql } from '@store/db';
import { notFound } from '@store/problem';
import { tables } from '../tables.ts';
import { LoyaltyTier, type TierRow } from './loyalty-tier.ts';

export const tiersOf = (storeId: number) =>
  tables.selectFrom('loyalty_tiers').select(columnsOf(LoyaltyTier)).where('store_id', '=', storeId);

/** The tiers that customers can hold, highest first. */
export function rankedTiers(em: EntityManager, storeId: number): Promise<TierRow[]> {
  return sql(em, tiersOf(storeId).where('active', '=', true).orderBy('level', 'desc'));
}

/** One tier as its row, inside the unit that wrote it. */
export async function tierRow(em: EntityManager, storeId: number, id: number): Promise<TierRow> {
  const [row] = await sql(em, tiersOf(storeId).where('id', '=', id));
  if (!row) throw notFound('Loyalty tier');
  return row;
}

/**
 * Exclusive for changes of tiers, shared by creations of customers: a new customer is then either ranked by the new tiers
 * or found by the ranking that follows. Held until the commit, and taken before any row is locked.
 */
export async function holdTiers(em: EntityManager, storeId: number, how: 'shared' | 'alone'): Promise<void> {
  const lock = how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared';
  await sql(em, `select ${lock}(hashtext('customers.tiers'), hashtext($1::text))`, [storeId]);
}
