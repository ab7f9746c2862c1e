/** Which tier a customer holds: the highest level whose two minimums are met (D223). */
import { cents } from '@store/input';
import type { TierRow } from './loyalty-tier.ts';

export interface Standing {
  lifetime_spend: string;
  visit_count: number;
}

type Minimums = Pick<TierRow, 'minimum_lifetime_spend' | 'minimum_visits'>;

/** `ranked`: the tiers that can be held, highest first. */
export function heldTier<Tier extends Minimums>(ranked: readonly Tier[], standing: Standing): Tier | undefined {
  const spend = cents(standing.lifetime_spend);
  return ranked.find((tier) => spend >= cents(tier.minimum_lifetime_spend) && standing.visit_count >= tier.minimum_visits);
}

/** Points for an amount: whole ones, rounded down (D221); none for an amount below zero. */
export function pointsFor(amount: string, multiplier: string): number {
  const hundredths = cents(amount) * cents(multiplier);
  return hundredths <= 0n ? 0 : Number(hundredths / 10_000n);
}
