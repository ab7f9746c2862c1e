/** A stock count; its lines are ledger rows. */
import { defineEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumn } from '@store/db';

export const StockReconciliation = defineEntity({
  name: 'StockReconciliation',
  tableName: 'stock_reconciliations',
  properties: {
    ...storeKeyColumns(),
    locationId: p.bigint('number').nullable(),
    notes: p.text().nullable(),
    userId: p.bigint('number').nullable(),
    userName: p.text().nullable(),
    approvedById: p.bigint('number').nullable(),
    approvedByName: p.text().nullable(),
    createdAt: timeColumn(),
  },
});
