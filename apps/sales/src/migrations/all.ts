import { buildIndexes, statements, storeKeys } from '@store/db';
import { indexOutbox, storeInInbox } from '@store/events';
import { CreateSales } from './1-sales.ts';
import { CreateGiftCards } from './2-gift-cards.ts';
import { CreateCustomers } from './3-customers.ts';
import { CreateCardMisses } from './6-card-misses.ts';
import { CreateCardHolds } from './15-card-holds.ts';
import { CreateDrawerMovements } from './20-drawer-movements.ts';

export const migrations = {
  '1-sales': CreateSales,
  '2-gift-cards': CreateGiftCards,
  '3-customers': CreateCustomers,
  // Finds sales by a part of their receipt number.
  '4-receipt-search': statements(
    'set local search_path to sales, public',
    'create index sales_receipt_search on sales using gin (store_id, receipt_number public.gin_trgm_ops) with (gin_pending_list_limit = 512)',
  ),
  // Finds the stores that have cards to be marked as expired, without a look at each store.
  '5-due-cards': statements(
    'set local search_path to sales, public',
    "create index gift_cards_due on gift_cards (expires_at, store_id) where status = 'active' and expires_at is not null",
  ),
  '6-card-misses': CreateCardMisses,
  // D275: an intent is named by who asked and the Idempotency-Key, so that a repetition finds the tender that it took. Few rows are
  // ever there.
  '7-named-intents': statements(
    'set local search_path to sales, public',
    'alter table store_credit_intents add column actor text, add column request_key text',
    'alter table store_credit_intents add constraint store_credit_intents_request unique (store_id, actor, request_key)',
  ),
  '8-outbox-of-store': buildIndexes(indexOutbox('sales')),
  // D271: the session that paid the cash of a voided sale back, where the sale's own was closed before.
  '9-refund-drawers': statements('alter table sales.sales add column refund_drawer_session_id bigint'),
  '10-refunded-sales': buildIndexes(
    'create index concurrently if not exists sales_refunded_by_drawer on sales.sales (store_id, refund_drawer_session_id) where refund_drawer_session_id is not null',
  ),
  // D266: the names of a sale's taxes, kept with their rates.
  '11-named-taxes': statements('alter table sales.sales add column tax_names jsonb'),
  '12-updated-sales': buildIndexes('create index concurrently if not exists sales_updated on sales.sales (store_id, updated_at)'),
  // D273: balances are corrected by hand, with a reason. Rows that are there satisfy the wider check, so none is read.
  '13-adjusted-cards': statements(
    'set local search_path to sales',
    `alter table gift_card_transactions
      add column reason text,
      drop constraint gift_card_transactions_transaction_type_check,
      add constraint gift_card_transactions_transaction_type_check
        check (transaction_type in ('issue', 'redeem', 'refund', 'adjust')) not valid`,
  ),
  '14-day-reports': buildIndexes(
    'create index concurrently if not exists sales_voided on sales.sales (store_id, voided_at) where voided_at is not null',
    'create index concurrently if not exists cash_drawer_sessions_closed on sales.cash_drawer_sessions (store_id, closed_at) where closed_at is not null',
    'create index concurrently if not exists gift_card_transactions_made on sales.gift_card_transactions (store_id, created_at)',
  ),
  '15-card-holds': CreateCardHolds,
  // D267: ids that other systems have for sales.
  '16-external-ids': statements('alter table sales.sales add column external_id text'),
  '17-external-ids': buildIndexes(
    'create unique index concurrently if not exists sales_external on sales.sales (store_id, external_id) where external_id is not null',
  ),
  // Customers that were merged: their sales and gift cards go over.
  '18-merged-customers': statements('alter table sales.customers add column merged_into bigint'),
  '19-cards-of-customers': buildIndexes(
    'create index concurrently if not exists gift_cards_of_customer on sales.gift_cards (store_id, customer_id) where customer_id is not null',
  ),
  '20-drawer-movements': CreateDrawerMovements,
  ...storeKeys('sales', 21, [
    { table: 'sales' },
    { table: 'sale_line_items', key: ['sale_id', 'position'], instead: { constraint: 'sale_line_items_store_id_sale_id_position_key' } },
    { table: 'sale_payments', key: ['sale_id', 'position'], instead: { constraint: 'sale_payments_store_id_sale_id_position_key' } },
    { table: 'gift_cards', namedBy: [{ table: 'gift_card_transactions', column: 'gift_card_id' }] },
    { table: 'gift_card_transactions', key: ['gift_card_id', 'id'], instead: { index: 'gift_card_transactions_of_card' } },
    { table: 'gift_card_holds', key: ['gift_card_id', 'id'], instead: { index: 'gift_card_holds_of_card' } },
    { table: 'cash_drawer_sessions' },
    { table: 'cash_drawer_movements', key: ['session_id', 'id'], instead: { index: 'cash_drawer_movements_of_session' } },
    { table: 'store_credit_intents', instead: { index: 'store_credit_intents_store' } },
  ]),
  '24-inbox-of-store': statements(storeInInbox('sales')),
};
