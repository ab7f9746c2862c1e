import { type EntityManager, lockRecord, sql } from '@store/db';
import { acceptBody, idField, parseId } from '@store/input';
import { invalid } from '@store/problem';
import { change, userOf } from '@store/service';
import type { CustomerRecord } from '../customers/customer.ts';
import { itsIds } from '../customers/its-ids.ts';
import { lockCustomer } from '../customers/save-customer.ts';
import type { Verb } from '../customers.ts';
import { rewardRow } from '../loyalty-rewards/loyalty-reward.query.ts';
import { LoyaltyReward, type RewardRow, validityOf } from '../loyalty-rewards/loyalty-reward.ts';
import { rankedTiers } from '../loyalty-tiers/loyalty-tier.query.ts';
import { moveCredit } from '../store-credits/move-credit.ts';
import { tables } from '../tables.ts';
import { changePoints } from './change-points.ts';

/** POST /customers/:id/loyalty/redeem (staff): decided under the customer's lock, so of two at exactly enough points one succeeds (D229). */
export const redeemReward: Verb<'RedeemReward'> = async (app, request, call) => {
  const { caller } = call;
  // An invalid id is an unknown reward.
  const { values } = acceptBody({ reward_id: idField() }, ['reward_id'], request);
  return change(app, call, async (em) => {
    const customer = await lockCustomer(em, parseId(request.id));
    const { id: rewardId } = await lockRecord(em, LoyaltyReward, values.reward_id ?? undefined);
    const now = app.db.clock.now();
    const reward = await rewardRow(em, caller.storeId, rewardId);
    await demandRedeemable(em, customer, reward, now);
    if (reward.reward_type === 'store_credit') {
      const amount = reward.store_credit_amount!;
      const movement = { customer_id: customer.id, transaction_type: 'reward', amount, notes: reward.name, user: userOf(caller) } as const;
      const balances = new Map([[customer.id, customer.storeCreditBalance]]);
      await moveCredit(em, { storeId: caller.storeId, now }, [movement], balances);
    }
    const movement = { movement_type: 'redeem', points: 0 - reward.points_required, reward_id: rewardId, reason: reward.name } as const;
    return changePoints(em, { app, caller }, customer, movement, { reward_id: rewardId });
  });
};

async function demandRedeemable(em: EntityManager, customer: CustomerRecord, reward: RewardRow, now: Date): Promise<void> {
  if (validityOf(reward, now) !== 'active') throw invalid(['Reward is not available']);
  const level = await levelOf(em, customer);
  if ((reward.minimum_tier_level ?? 0) > level) throw invalid(['Loyalty tier is too low']);
  if (customer.loyaltyPoints < reward.points_required) throw invalid(['Loyalty points are not enough']);
  if (reward.redemption_limit !== null && (await redemptions(em, customer, reward.id)) >= reward.redemption_limit) {
    throw invalid(['Redemption limit is reached']);
  }
}

/** 0 for a customer without a tier. */
async function levelOf(em: EntityManager, { storeId, loyaltyTierId }: CustomerRecord): Promise<number> {
  return (await rankedTiers(em, storeId)).find((tier) => tier.id === loyaltyTierId)?.level ?? 0;
}

async function redemptions(em: EntityManager, { storeId, id }: CustomerRecord, rewardId: number): Promise<number> {
  const redeemed = tables
    .selectFrom('loyalty_movements')
    .select((eb) => eb.fn.countAll<number>().as('times'))
    .where('store_id', '=', storeId)
    .where('customer_id', 'in', itsIds(storeId, id))
    .where('reward_id', '=', rewardId);
  return (await sql(em, redeemed))[0]!.times;
}
