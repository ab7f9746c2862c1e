import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, deleteRecord } from '@store/service';
import type { Verb } from '../customers.ts';
import { rewardRow } from './loyalty-reward.query.ts';
import { LoyaltyReward, loyaltyRewardView } from './loyalty-reward.ts';

/** DELETE /loyalty_rewards/:id (staff): the points that it took stay taken. */
export const deleteLoyaltyReward: Verb<'DeleteLoyaltyReward'> = (app, request, call) =>
  change(app, call, async (em) => {
    const reward = await lockRecord(em, LoyaltyReward, parseId(request.id));
    const before = loyaltyRewardView(await rewardRow(em, call.caller.storeId, reward.id), app.db.clock.now());
    await deleteRecord({ em, app, call }, LoyaltyReward, reward, before);
    return { success: true, message: 'Loyalty reward deleted' };
  });
