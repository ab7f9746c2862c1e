import { type EntityManager, lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, updateRecord } from '@store/service';
import type { Verb } from '../customers.ts';
import { productExists } from '../products/product-copy.query.ts';
import { acceptLoyaltyReward, rewardErrors } from './loyalty-reward.input.ts';
import { rewardRow } from './loyalty-reward.query.ts';
import { LoyaltyReward, loyaltyRewardView } from './loyalty-reward.ts';

/** PATCH /loyalty_rewards/:id (staff). */
export const updateLoyaltyReward: Verb<'UpdateLoyaltyReward'> = async (app, request, call) => {
  const { storeId, timeZone } = call.caller;
  const accepted = acceptLoyaltyReward(timeZone).update(request.loyalty_reward);
  const { product_id } = accepted.values;
  const work = async (em: EntityManager, exists: boolean) => {
    const reward = await lockRecord(em, LoyaltyReward, parseId(request.id));
    const errors = rewardErrors(accepted, await rewardRow(em, storeId, reward.id), exists);
    await updateRecord({ em, app, call }, LoyaltyReward, reward, { ...accepted, errors });
    return { loyalty_reward: loyaltyRewardView(await rewardRow(em, storeId, reward.id), app.db.clock.now()) };
  };
  return change(app, call, work, { ask: async () => !product_id || productExists(app.db, storeId, product_id) });
};
