import { buildIndexes, storeKeys } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreateInventory } from './1-inventory.ts';
import { AddStaffVersion } from './2-staff-version.ts';
import { AddCountKey } from './3-count-key.ts';
import { AddMovements } from './4-movements.ts';

export const migrations = {
  '1-inventory': CreateInventory,
  '2-staff-version': AddStaffVersion,
  '3-count-key': AddCountKey,
  '4-movements': AddMovements,
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
};
