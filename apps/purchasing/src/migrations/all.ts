import { buildIndexes, statements, storeKeys } from '@store/db';
import { indexOutbox, storeInInbox } from '@store/events';
import { CreatePurchasing } from './1-purchasing.ts';

export const migrations = {
  '1-purchasing': CreatePurchasing,
  '2-outbox-of-store': buildIndexes(indexOutbox('purchasing')),
  // D268: unit costs have four decimals. A type without a scale rewrites no row; values keep the decimals that they are written with.
  '3-finer-costs': statements(
    'set local search_path to purchasing',
    'alter table purchase_order_lines alter column unit_price type numeric, alter column unit_cost_invoiced type numeric',
  ),
  // A supplier that is archived stays on its orders.
  '4-archived-suppliers': statements('alter table purchasing.suppliers add column archived_at timestamptz(3)'),
  // D267, D286: what staff and connectors add to an order.
  '5-order-details': statements(`alter table purchasing.purchase_orders add column expected_on date, add column notes text,
    add column supplier_invoice_number text, add column supplier_invoice_date date, add column external_id text`),
  '6-external-ids': buildIndexes(
    'create unique index concurrently if not exists purchase_orders_external on purchasing.purchase_orders (store_id, external_id) where external_id is not null',
  ),
  ...storeKeys('purchasing', 7, [
    { table: 'suppliers' },
    { table: 'purchase_orders' },
    {
      table: 'purchase_order_lines',
      key: ['order_id', 'position'],
      instead: { constraint: 'purchase_order_lines_store_id_order_id_position_key' },
    },
    { table: 'supplier_documents' },
  ]),
  '10-inbox-of-store': statements(storeInInbox('purchasing')),
};
