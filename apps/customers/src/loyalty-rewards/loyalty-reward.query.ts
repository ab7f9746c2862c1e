import { columnsOf, type EntityManager, sql } from '@store/db';
import { notFound } from '@store/problem';
import { tables } from '../tables.ts';
import { LoyaltyReward, type RewardRow } from './loyalty-reward.ts';

const rewardsOf = (storeId: number) =>
  tables
    .selectFrom('loyalty_rewards as r')
    .leftJoin('products as p', (join) => join.onRef('p.store_id', '=', 'r.store_id').onRef('p.id', '=', 'r.product_id'))
    .select(columnsOf(LoyaltyReward).map((column) => `r.${column}` as const))
    .select('p.name as product_name')
    .where('r.store_id', '=', storeId);

/** By points_required and id (D230). */
export const listedRewards = (storeId: number) => rewardsOf(storeId).orderBy('r.points_required').orderBy('r.id');

/** Those that can be redeemed at `now`. */
export const availableRewards = (storeId: number, now: Date) =>
  listedRewards(storeId)
    .where('r.active', '=', true)
    .where((eb) => eb.or([eb('r.valid_from', 'is', null), eb('r.valid_from', '<=', now)]))
    .where((eb) => eb.or([eb('r.valid_until', 'is', null), eb('r.valid_until', '>', now)]));

/** One reward as its row, inside the unit that wrote it. */
export async function rewardRow(em: EntityManager, storeId: number, id: number): Promise<RewardRow> {
  const [row] = await sql(em, rewardsOf(storeId).where('r.id', '=', id));
  if (!row) throw notFound('Loyalty reward');
  return row;
}
