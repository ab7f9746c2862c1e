import { change, createRecord } from '@store/service';
import type { Verb } from '../customers.ts';
import { acceptLoyaltyTier, newTier } from './loyalty-tier.input.ts';
import { holdTiers, tierRow } from './loyalty-tier.query.ts';
import { LoyaltyTier, loyaltyTierView } from './loyalty-tier.ts';
import { rankAnew } from './tier-change.ts';

/** POST /loyalty_tiers (staff). */
export const createLoyaltyTier: Verb<'CreateLoyaltyTier'> = async (app, request, call) => {
  const { storeId } = call.caller;
  const accepted = acceptLoyaltyTier.create(request.loyalty_tier);
  return change(app, call, async (em) => {
    await holdTiers(em, storeId, 'alone');
    const tier = await createRecord({ em, app, call }, LoyaltyTier, accepted, newTier);
    await rankAnew(em, storeId);
    return { loyalty_tier: loyaltyTierView(await tierRow(em, storeId, tier.id)) };
  });
};
