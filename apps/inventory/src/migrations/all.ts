import { buildIndexes, statements, storeKeys } from '@store/db';
import { indexOutbox, storeInInbox } from '@store/events';
import { storesTable } from '@store/service';
import { CreateInventory } from './1-inventory.ts';

export const migrations = {
  '1-inventory': CreateInventory,
  // Version of the event that the copy is of: an older one does not come back.
  '2-staff-version': statements('alter table inventory.staff_users add column version bigint not null default 0'),
  // Every table has a primary key, as an entity declares it. The table has few rows at any time.
  '3-count-key': statements('alter table inventory.stock_adjustment_counts add column id bigint generated always as identity primary key'),
  // What rows from events need: the movement that each was written for, and which stores track locations (D220).
  '4-movements': statements(
    'set local search_path to inventory',
    storesTable,
    'alter table stock_adjustments add column movement_key text',
    'create unique index stock_adjustments_movement on stock_adjustments (store_id, movement_key) where movement_key is not null',
  ),
  '5-outbox-of-store': buildIndexes(indexOutbox('inventory')),
  ...storeKeys('inventory', 6, [
    { table: 'warehouse_locations', namedBy: [{ table: 'location_stock', column: 'location_id' }] },
    { table: 'stock_reconciliations', namedBy: [{ table: 'stock_adjustments', column: 'reconciliation_id' }] },
    { table: 'stock_adjustments', namedBy: [{ table: 'inventory_transactions', column: 'adjustment_id' }] },
    { table: 'inventory_transactions', key: ['adjustment_id'], instead: { constraint: 'inventory_transactions_adjustment_id_key' } },
  ]),
  '9-stock-of-location': buildIndexes(
    'create index concurrently if not exists location_stock_of_location on inventory.location_stock (store_id, location_id)',
    'drop index concurrently if exists inventory.location_stock_location',
  ),
  '10-inbox-of-store': statements(storeInInbox('inventory')),
};
