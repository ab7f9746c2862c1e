import { buildIndexes, storeKeys } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreateSales } from './1-sales.ts';
import { CreateGiftCards } from './2-gift-cards.ts';
import { CreateCustomers } from './3-customers.ts';
import { CreateReceiptSearch } from './4-receipt-search.ts';
import { CreateDueCards } from './5-due-cards.ts';
import { CreateCardMisses } from './6-card-misses.ts';
import { NameIntents } from './7-named-intents.ts';
import { AddRefundDrawers } from './9-refund-drawers.ts';
import { NameTaxes } from './11-named-taxes.ts';
import { AdjustCards } from './13-adjusted-cards.ts';
import { CreateCardHolds } from './15-card-holds.ts';
import { AddExternalIds } from './16-external-ids.ts';
import { AddMergedCustomers } from './18-merged-customers.ts';
import { CreateDrawerMovements } from './20-drawer-movements.ts';

export const migrations = {
  '1-sales': CreateSales,
  '2-gift-cards': CreateGiftCards,
  '3-customers': CreateCustomers,
  '4-receipt-search': CreateReceiptSearch,
  '5-due-cards': CreateDueCards,
  '6-card-misses': CreateCardMisses,
  '7-named-intents': NameIntents,
  '8-outbox-of-store': buildIndexes(indexOutbox('sales')),
  '9-refund-drawers': AddRefundDrawers,
  '10-refunded-sales': buildIndexes(
    'create index concurrently if not exists sales_refunded_by_drawer on sales.sales (store_id, refund_drawer_session_id) where refund_drawer_session_id is not null',
  ),
  '11-named-taxes': NameTaxes,
  '12-updated-sales': buildIndexes('create index concurrently if not exists sales_updated on sales.sales (store_id, updated_at)'),
  '13-adjusted-cards': AdjustCards,
  '14-day-reports': buildIndexes(
    'create index concurrently if not exists sales_voided on sales.sales (store_id, voided_at) where voided_at is not null',
    'create index concurrently if not exists cash_drawer_sessions_closed on sales.cash_drawer_sessions (store_id, closed_at) where closed_at is not null',
    'create index concurrently if not exists gift_card_transactions_made on sales.gift_card_transactions (store_id, created_at)',
  ),
  '15-card-holds': CreateCardHolds,
  '16-external-ids': AddExternalIds,
  '17-external-ids': buildIndexes(
    'create unique index concurrently if not exists sales_external on sales.sales (store_id, external_id) where external_id is not null',
  ),
  '18-merged-customers': AddMergedCustomers,
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
};
