/** A customer's loyalty, and what is missing to the next tier (D84). */
import { cents, moneyText, twoDecimals } from '@store/input';
import type { CustomerLoyalty, NextLoyaltyTier } from '@store/protos/customers/v1.ts';
import type { TierRow } from '../loyalty-tiers/loyalty-tier.ts';
import type { Loyalty, LoyaltyRow } from './loyalty.query.ts';

/** Below every level. */
const noLevel = -1;

export function loyaltyView({ customer, ladder }: Loyalty): CustomerLoyalty {
  const held = ladder.find((tier) => tier.id === customer.loyalty_tier_id);
  const next = ladder.find((tier) => tier.level > (held?.level ?? noLevel));
  return {
    customer_id: customer.id,
    loyalty_points: customer.loyalty_points,
    loyalty_tier: customer.loyalty_tier ?? undefined,
    tier_level: held?.level,
    lifetime_spend: twoDecimals(customer.lifetime_spend),
    visit_count: customer.visit_count,
    points_multiplier: held ? twoDecimals(held.points_multiplier) : '1.00',
    discount_percentage: held ? twoDecimals(held.discount_percentage) : '0.00',
    next_tier: next && missingTo(next, customer),
  };
}

function missingTo(tier: TierRow, { lifetime_spend, visit_count }: LoyaltyRow): NextLoyaltyTier {
  const spend = cents(tier.minimum_lifetime_spend) - cents(lifetime_spend);
  return {
    name: tier.name,
    spend_remaining: moneyText(spend > 0n ? spend : 0n),
    visits_remaining: Math.max(tier.minimum_visits - visit_count, 0),
  };
}
