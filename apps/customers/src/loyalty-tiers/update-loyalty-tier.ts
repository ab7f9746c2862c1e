import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, updateRecord } from '@store/service';
import type { Verb } from '../customers.ts';
import { acceptLoyaltyTier } from './loyalty-tier.input.ts';
import { holdTiers, tierRow } from './loyalty-tier.query.ts';
import { LoyaltyTier, loyaltyTierView } from './loyalty-tier.ts';
import { rankAnew } from './tier-change.ts';

/** Fields that decide who holds the tier, or that customers show. */
const ranking = ['name', 'level', 'minimum_lifetime_spend', 'minimum_visits', 'active'];

/** PATCH /loyalty_tiers/:id (staff). */
export const updateLoyaltyTier: Verb<'UpdateLoyaltyTier'> = async (app, request, call) => {
  const { storeId } = call.caller;
  const accepted = acceptLoyaltyTier.update(request.loyalty_tier);
  return change(app, call, async (em) => {
    await holdTiers(em, storeId, 'alone');
    const tier = await lockRecord(em, LoyaltyTier, parseId(request.id));
    await updateRecord({ em, app, call }, LoyaltyTier, tier, accepted, async ({ after }) => {
      if (ranking.some((field) => field in after)) await rankAnew(em, storeId);
    });
    return { loyalty_tier: loyaltyTierView(await tierRow(em, storeId, tier.id)) };
  });
};
