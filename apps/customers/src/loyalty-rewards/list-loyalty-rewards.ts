import { cappedList } from '@store/service';
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
  const shown = all ? listedRewards(storeId) : availableRewards(storeId, now);
  const read = customerId === '' ? undefined : (await redeemableRewards(app, storeId, customerId)).rewards;
  return cappedList({
    read: read ?? ((limit) => app.db.read(shown.limit(limit))),
    answer: (rows) => ({ loyalty_rewards: rows.map((row) => loyaltyRewardView(row, now)) }),
  });
};
