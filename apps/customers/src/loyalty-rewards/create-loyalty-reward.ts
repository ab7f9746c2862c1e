import type { EntityManager } from '@store/db';
import { change, createRecord } from '@store/service';
import type { Verb } from '../customers.ts';
import { productExists } from '../products/product-copy.query.ts';
import { acceptLoyaltyReward, newReward, rewardErrors } from './loyalty-reward.input.ts';
import { rewardRow } from './loyalty-reward.query.ts';
import { LoyaltyReward, loyaltyRewardView } from './loyalty-reward.ts';

/** POST /loyalty_rewards (staff). */
export const createLoyaltyReward: Verb<'CreateLoyaltyReward'> = async (app, request, call) => {
  const { storeId, timeZone } = call.caller;
  const accepted = acceptLoyaltyReward(timeZone).create(request.loyalty_reward);
  const { product_id } = accepted.values;
  const work = async (em: EntityManager, exists: boolean) => {
    const errors = rewardErrors(accepted, newReward, exists);
    const { id } = await createRecord({ em, app, call }, LoyaltyReward, { ...accepted, errors }, newReward);
    return { loyalty_reward: loyaltyRewardView(await rewardRow(em, storeId, id), app.db.clock.now()) };
  };
  return change(app, call, work, { ask: async () => !product_id || productExists(app.db, storeId, product_id) });
};
