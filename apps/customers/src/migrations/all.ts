import { buildIndexes, statements, storeKeys } from '@store/db';
import { indexOutbox, storeInInbox } from '@store/events';
import { CreateCustomers } from './1-customers.ts';
import { CreateLoyalty } from './2-loyalty.ts';
import { CreateStoreCredits } from './3-store-credits.ts';

export const migrations = {
  '1-customers': CreateCustomers,
  '2-loyalty': CreateLoyalty,
  '3-store-credits': CreateStoreCredits,
  // Sums of many amounts outgrow the column of one; more digits before the point rewrite no row.
  '4-wider-sums': statements(
    'set local search_path to customers',
    'alter table customers alter column lifetime_spend type numeric(20,2), alter column store_credit_balance type numeric(20,2)',
    'alter table store_credit_transactions alter column balance_before type numeric(20,2), alter column balance_after type numeric(20,2)',
  ),
  '5-outbox-of-store': buildIndexes(indexOutbox('customers')),
  // D267: ids that other systems have for customers.
  '6-external-ids': statements('alter table customers.customers add column external_id text'),
  '7-external-ids': buildIndexes(
    'create unique index concurrently if not exists customers_external on customers.customers (store_id, external_id) where archived_at is null and external_id is not null',
  ),
  '8-day-reports': buildIndexes(
    'create index concurrently if not exists store_credit_transactions_made on customers.store_credit_transactions (store_id, created_at)',
  ),
  // Customers that were found to be another one.
  '8-merged-customers': statements('alter table customers.customers add column merged_into bigint'),
  '9-merged-customers': buildIndexes(
    'create index concurrently if not exists customers_merged on customers.customers (store_id, merged_into) where merged_into is not null',
  ),
  '10-cursors': buildIndexes(
    'create index concurrently if not exists customers_walked on customers.customers (store_id, created_at, id) where archived_at is null',
  ),
  ...storeKeys('customers', 11, [
    { table: 'customers' },
    { table: 'loyalty_tiers' },
    { table: 'loyalty_rewards' },
    { table: 'loyalty_movements', key: ['customer_id', 'id'], instead: { index: 'loyalty_movements_customer' } },
    { table: 'store_credit_transactions', key: ['customer_id', 'id'], instead: { index: 'store_credit_transactions_customer' } },
  ]),
  '14-inbox-of-store': statements(storeInInbox('customers')),
};
