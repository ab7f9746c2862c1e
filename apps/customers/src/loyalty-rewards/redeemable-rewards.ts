/** The rewards that one customer can redeem now (D125). */
import { readRecord } from '@store/service';
import { itsIds } from '../customers/its-ids.ts';
import type { Customers } from '../customers.ts';
import { type LoyaltyRow, ladderOf, loyaltyOf } from '../loyalty/loyalty.query.ts';
import { availableRewards } from './loyalty-reward.query.ts';
import type { RewardRow } from './loyalty-reward.ts';

interface Redeemable {
  customer: LoyaltyRow;
  /** The first of them. */
  rewards: (limit: number) => Promise<RewardRow[]>;
}

/** An invalid id is an unknown customer, a 404. */
export async function redeemableRewards(app: Customers, storeId: number, customerId: string): Promise<Redeemable> {
  const customer = await readRecord(app.db, customerId.trim(), (id) => loyaltyOf(storeId, id), 'Customer');
  const held = (await app.db.read(ladderOf(storeId))).find((tier) => tier.id === customer.loyalty_tier_id);
  const rewards = availableRewards(storeId, app.db.clock.now())
    .where('r.points_required', '<=', customer.loyalty_points)
    .where((eb) => eb(eb.fn.coalesce('r.minimum_tier_level', eb.lit(0)), '<=', held?.level ?? 0))
    .where((eb) =>
      eb.or([
        eb('r.redemption_limit', 'is', null),
        eb('r.redemption_limit', '>', (of) =>
          of
            .selectFrom('loyalty_movements as m')
            .select((fn) => fn.fn.countAll<number>().as('times'))
            .where('m.store_id', '=', storeId)
            .where('m.customer_id', 'in', itsIds(storeId, customer.id))
            .whereRef('m.reward_id', '=', 'r.id'),
        ),
      ]),
    );
  return { customer, rewards: (limit) => app.db.read(rewards.limit(limit)) };
}
