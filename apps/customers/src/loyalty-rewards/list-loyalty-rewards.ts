import type { Verb } from '../customers.ts';
import { availableRewards, listedRewards } from './loyalty-reward.query.ts';
import { loyaltyRewardView } from './loyalty-reward.ts';
import { redeemableRewards } from './redeemable-rewards.ts';

/** GET /loyalty_rewards: those that can be redeemed now, by anybody or by one customer; staff may ask for all. */
export const listLoyaltyRewards: Verb<'ListLoyaltyRewards'> = async (app, request, { caller }) => {
  const { storeId, actor } = caller;
  const now = app.db.clock.now();
  const customerId = request.customer_id?.trim() ?? '';
  const all = actor.type === 'user' && request.all === 'true';
  const rows =
    customerId === ''
      ? await app.db.read(all ? listedRewards(storeId) : availableRewards(storeId, now))
      : (await redeemableRewards(app, storeId, customerId)).rewards;
  return { loyalty_rewards: rows.map((row) => loyaltyRewardView(row, now)) };
};
