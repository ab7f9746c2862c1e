import { buildIndexes, storeKeys } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreatePurchasing } from './1-purchasing.ts';
import { RefineCosts } from './3-finer-costs.ts';
import { ArchiveSuppliers } from './4-archived-suppliers.ts';
import { AddOrderDetails } from './5-order-details.ts';

export const migrations = {
  '1-purchasing': CreatePurchasing,
  '2-outbox-of-store': buildIndexes(indexOutbox('purchasing')),
  '3-finer-costs': RefineCosts,
  '4-archived-suppliers': ArchiveSuppliers,
  '5-order-details': AddOrderDetails,
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
};
