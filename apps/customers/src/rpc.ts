import type { CustomersDefinition } from '@store/protos/customers/v1.ts';
import type { VerbTable } from '@store/rpc';
import { archiveCustomer } from './customers/archive-customer.ts';
import { createCustomer } from './customers/create-customer.ts';
import { getCustomer } from './customers/get-customer.ts';
import { getCustomers } from './customers/get-customers.ts';
import { listCustomers } from './customers/list-customers.ts';
import { lookupCustomerByCard, lookupCustomerByCode } from './customers/lookup-customer.ts';
import { restoreCustomer } from './customers/restore-customer.ts';
import { updateCustomer } from './customers/update-customer.ts';
import type { Customers } from './customers.ts';
import { adjustPoints } from './loyalty/adjust-points.ts';
import { earnPoints } from './loyalty/earn-points.ts';
import { getCustomerLoyalty } from './loyalty/get-customer-loyalty.ts';
import { listLoyaltyTransactions } from './loyalty/list-loyalty-transactions.ts';
import { redeemReward } from './loyalty/redeem-reward.ts';
import { createLoyaltyReward } from './loyalty-rewards/create-loyalty-reward.ts';
import { deleteLoyaltyReward } from './loyalty-rewards/delete-loyalty-reward.ts';
import { listAvailableRewards } from './loyalty-rewards/list-available-rewards.ts';
import { listLoyaltyRewards } from './loyalty-rewards/list-loyalty-rewards.ts';
import { updateLoyaltyReward } from './loyalty-rewards/update-loyalty-reward.ts';
import { createLoyaltyTier } from './loyalty-tiers/create-loyalty-tier.ts';
import { deleteLoyaltyTier } from './loyalty-tiers/delete-loyalty-tier.ts';
import { listLoyaltyTiers } from './loyalty-tiers/list-loyalty-tiers.ts';
import { updateLoyaltyTier } from './loyalty-tiers/update-loyalty-tier.ts';
import { mergeCustomers } from './merges/merge-customers.ts';
import { getStoreCredit } from './store-credits/get-store-credit.ts';
import { getStoreCreditSnapshot } from './store-credits/get-store-credit-snapshot.ts';
import { giveBackStoreCredit } from './store-credits/give-back-store-credit.ts';
import { listStoreCreditTransactions } from './store-credits/list-store-credit-transactions.ts';
import { moveStoreCredit } from './store-credits/move-store-credit.ts';
import { sumStoreCredit } from './store-credits/sum-store-credit.ts';
import { takeStoreCredit } from './store-credits/take-store-credit.ts';

export const verbs: VerbTable<Customers, CustomersDefinition> = {
  ListCustomers: listCustomers,
  GetCustomer: getCustomer,
  LookupCustomerByCode: lookupCustomerByCode,
  LookupCustomerByCard: lookupCustomerByCard,
  CreateCustomer: createCustomer,
  UpdateCustomer: updateCustomer,
  ArchiveCustomer: archiveCustomer,
  ListLoyaltyTransactions: listLoyaltyTransactions,
  ListStoreCreditTransactions: listStoreCreditTransactions,
  RestoreCustomer: restoreCustomer,
  MergeCustomers: mergeCustomers,
  GetCustomers: getCustomers,
  SumStoreCredit: sumStoreCredit,
  ListLoyaltyTiers: listLoyaltyTiers,
  CreateLoyaltyTier: createLoyaltyTier,
  UpdateLoyaltyTier: updateLoyaltyTier,
  DeleteLoyaltyTier: deleteLoyaltyTier,
  ListLoyaltyRewards: listLoyaltyRewards,
  ListAvailableRewards: listAvailableRewards,
  CreateLoyaltyReward: createLoyaltyReward,
  UpdateLoyaltyReward: updateLoyaltyReward,
  DeleteLoyaltyReward: deleteLoyaltyReward,
  GetCustomerLoyalty: getCustomerLoyalty,
  EarnPoints: earnPoints,
  RedeemReward: redeemReward,
  AdjustPoints: adjustPoints,
  GetStoreCredit: getStoreCredit,
  GetStoreCreditSnapshot: getStoreCreditSnapshot,
  MoveStoreCredit: moveStoreCredit,
  TakeStoreCredit: takeStoreCredit,
  GiveBackStoreCredit: giveBackStoreCredit,
};
