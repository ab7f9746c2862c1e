import type { Verb } from '../customers.ts';
import { tiersOf } from './loyalty-tier.query.ts';
import { loyaltyTierView } from './loyalty-tier.ts';

/** Lists that are not paginated are capped (D44). */
const tiersMax = 500;

/** GET /loyalty_tiers: the active ones by level; staff may ask for all. */
export const listLoyaltyTiers: Verb<'ListLoyaltyTiers'> = async (app, request, { caller }) => {
  const tiers = tiersOf(caller.storeId).orderBy('level').orderBy('id').limit(tiersMax);
  const all = caller.actor.type === 'user' && request.all === 'true';
  const rows = await app.db.read(all ? tiers : tiers.where('active', '=', true));
  return { loyalty_tiers: rows.map(loyaltyTierView) };
};
