import { type EntityManager, type Row, sql } from '@store/db';
import { notFound } from '@store/problem';
import type { Customer } from '../customers/customer.ts';
import { tiersOf } from '../loyalty-tiers/loyalty-tier.query.ts';
import type { TierRow } from '../loyalty-tiers/loyalty-tier.ts';
import { tables } from '../tables.ts';

export type LoyaltyRow = Pick<
  Row<typeof Customer>,
  'id' | 'name' | 'loyalty_points' | 'loyalty_tier_id' | 'loyalty_tier' | 'lifetime_spend' | 'visit_count'
>;

/** A customer that is not archived. */
export const loyaltyOf = (storeId: number, id: number) =>
  tables
    .selectFrom('customers')
    .select(['id', 'name', 'loyalty_points', 'loyalty_tier_id', 'loyalty_tier', 'lifetime_spend', 'visit_count'])
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .where('archived_at', 'is', null);

/** The tiers that can be held, lowest first. */
export const ladderOf = (storeId: number) => tiersOf(storeId).where('active', '=', true).orderBy('level');

export interface Loyalty {
  customer: LoyaltyRow;
  ladder: TierRow[];
}

/** In the unit that changed it. */
export async function loadLoyalty(em: EntityManager, storeId: number, id: number): Promise<Loyalty> {
  const [customer] = await sql(em, loyaltyOf(storeId, id));
  if (!customer) throw notFound('Customer');
  return { customer, ladder: await sql(em, ladderOf(storeId)) };
}
