import { missing } from '@store/problem';
import { cappedList } from '@store/service';
import type { Verb } from '../customers.ts';
import { loyaltyRewardView } from './loyalty-reward.ts';
import { redeemableRewards } from './redeemable-rewards.ts';

/** GET /loyalty_rewards/available: what one customer can redeem, beside points and tier. */
export const listAvailableRewards: Verb<'ListAvailableRewards'> = async (app, request, { caller }) => {
  const customerId = request.customer_id?.trim() ?? '';
  if (customerId === '') throw missing('customer_id');
  const { customer, rewards } = await redeemableRewards(app, caller.storeId, customerId);
  const now = app.db.clock.now();
  return cappedList({
    read: rewards,
    answer: (rows) => ({
      customer_id: customer.id,
      customer_name: customer.name,
      loyalty_points: customer.loyalty_points,
      loyalty_tier: customer.loyalty_tier ?? undefined,
      available_rewards: rows.map((row) => loyaltyRewardView(row, now)),
    }),
  });
};
