/** Customers' rpcs: rpc name → verb. */
import type { CustomersDefinition } from '@store/protos/customers/v1/Customers.ts';
import type { Verbs } from '@store/rpc';
import { archiveCustomer } from './customers/archive-customer.ts';
import { createCustomer } from './customers/create-customer.ts';
import { getCustomer } from './customers/get-customer.ts';
import { getCustomers } from './customers/get-customers.ts';
import { listCustomers } from './customers/list-customers.ts';
import { lookupCustomerByCard, lookupCustomerByCode } from './customers/lookup-customer.ts';
import { updateCustomer } from './customers/update-customer.ts';
import type { Customers } from './customers.ts';
import { adjustPoints } from './loyalty/adjust-points.ts';
import { earnPoints } from './loyalty/earn-points.ts';
import { getCustomerLoyalty } from './loyalty/get-customer-loyalty.ts';
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
import { getStoreCredit } from './store-credits/get-store-credit.ts';
import { getStoreCreditSnapshot } from './store-credits/get-store-credit-snapshot.ts';
import { giveBackStoreCredit } from './store-credits/give-back-store-credit.ts';
import { moveStoreCredit } from './store-credits/move-store-credit.ts';
import { takeStoreCredit } from './store-credits/take-store-credit.ts';

export function customersVerbs(app: Customers): Verbs<CustomersDefinition> {
  return {
    ListCustomers: (request, call) => listCustomers(app, request, call),
    GetCustomer: (request, call) => getCustomer(app, request, call),
    LookupCustomerByCode: (request, call) => lookupCustomerByCode(app, request, call),
    LookupCustomerByCard: (request, call) => lookupCustomerByCard(app, request, call),
    CreateCustomer: (request, call) => createCustomer(app, request, call),
    UpdateCustomer: (request, call) => updateCustomer(app, request, call),
    ArchiveCustomer: (request, call) => archiveCustomer(app, request, call),
    GetCustomers: (request, call) => getCustomers(app, request, call),
    ListLoyaltyTiers: (request, call) => listLoyaltyTiers(app, request, call),
    CreateLoyaltyTier: (request, call) => createLoyaltyTier(app, request, call),
    UpdateLoyaltyTier: (request, call) => updateLoyaltyTier(app, request, call),
    DeleteLoyaltyTier: (request, call) => deleteLoyaltyTier(app, request, call),
    ListLoyaltyRewards: (request, call) => listLoyaltyRewards(app, request, call),
    ListAvailableRewards: (request, call) => listAvailableRewards(app, request, call),
    CreateLoyaltyReward: (request, call) => createLoyaltyReward(app, request, call),
    UpdateLoyaltyReward: (request, call) => updateLoyaltyReward(app, request, call),
    DeleteLoyaltyReward: (request, call) => deleteLoyaltyReward(app, request, call),
    GetCustomerLoyalty: (request, call) => getCustomerLoyalty(app, request, call),
    EarnPoints: (request, call) => earnPoints(app, request, call),
    RedeemReward: (request, call) => redeemReward(app, request, call),
    AdjustPoints: (request, call) => adjustPoints(app, request, call),
    GetStoreCredit: (request, call) => getStoreCredit(app, request, call),
    GetStoreCreditSnapshot: (request, call) => getStoreCreditSnapshot(app, request, call),
    MoveStoreCredit: (request, call) => moveStoreCredit(app, request, call),
    TakeStoreCredit: (request, call) => takeStoreCredit(app, request, call),
    GiveBackStoreCredit: (request, call) => giveBackStoreCredit(app, request, call),
  };
}
