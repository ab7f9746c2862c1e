import { cappedList } from '@store/service';
import type { Verb } from '../customers.ts';
import { tiersOf } from './loyalty-tier.query.ts';
import { loyaltyTierView } from './loyalty-tier.ts';

/** GET /loyalty_tiers: the active ones by level; staff may ask for all. */
export const listLoyaltyTiers: Verb<'ListLoyaltyTiers'> = async (app, request, { caller }) => {
  const tiers = tiersOf(caller.storeId).orderBy('level').orderBy('id');
  const all = caller.actor.type === 'user' && request.all === 'true';
  const shown = all ? tiers : tiers.where('active', '=', true);
  return cappedList({ read: (limit) => app.db.read(shown.limit(limit)), answer: (rows) => ({ loyalty_tiers: rows.map(loyaltyTierView) }) });
};
