import { type BackgroundOf, RunningTotal, tablesOf } from '@store/db';
import { StoreCopy } from '@store/service';
import { Customer, CustomerCodes } from './customers/customer.ts';
import { LoyaltyMovement } from './loyalty/loyalty-movement.ts';
import { LoyaltyReward } from './loyalty-rewards/loyalty-reward.ts';
import { LoyaltyTier } from './loyalty-tiers/loyalty-tier.ts';
import { TierChange } from './loyalty-tiers/tier-change.ts';
import { ProductCopy } from './products/product-copy.ts';
import { CustomerSale } from './sales/customer-sale.ts';
import { StoreCreditTender, StoreCreditTransaction } from './store-credits/store-credit.ts';

export const entities = [
  StoreCopy,
  RunningTotal,
  Customer,
  CustomerCodes,
  CustomerSale,
  LoyaltyTier,
  TierChange,
  LoyaltyReward,
  LoyaltyMovement,
  ProductCopy,
  StoreCreditTransaction,
  StoreCreditTender,
];

export const tables = tablesOf<(typeof entities)[number]>('customers');

export const background: BackgroundOf<(typeof entities)[number]> = {
  running_totals: { writes: 'all' },
  tier_changes: { due: 'true' },
};
