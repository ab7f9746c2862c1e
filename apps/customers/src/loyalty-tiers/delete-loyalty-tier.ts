import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, deleteRecord } from '@store/service';
import type { Verb } from '../customers.ts';
import { holdTiers, tierRow } from './loyalty-tier.query.ts';
import { LoyaltyTier, loyaltyTierView } from './loyalty-tier.ts';
import { rankAnew } from './tier-change.ts';

/** DELETE /loyalty_tiers/:id (staff): its customers move to the tier that they reach without it. */
export const deleteLoyaltyTier: Verb<'DeleteLoyaltyTier'> = (app, request, call) =>
  change(app, call, async (em) => {
    const { storeId } = call.caller;
    await holdTiers(em, storeId, 'alone');
    const tier = await lockRecord(em, LoyaltyTier, parseId(request.id));
    const before = loyaltyTierView(await tierRow(em, storeId, tier.id));
    await deleteRecord({ em, app, call }, LoyaltyTier, tier, before, () => rankAnew(em, storeId));
    return { success: true, message: 'Loyalty tier deleted' };
  });
