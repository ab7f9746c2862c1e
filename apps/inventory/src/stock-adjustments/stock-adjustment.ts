/** The ledger, which is only ever added to, and the inventory transaction of each row. */
import { defineEntity, p } from '@mikro-orm/core';
import {
  decimalColumn,
  newestFirstIndex,
  numberedColumn,
  type Row,
  sameStore,
  storeKeyColumn,
  storeKeyColumns,
  timeColumn,
} from '@store/db';
import { StockReconciliation } from '../stock-reconciliations/stock-reconciliation.ts';

const newestFirst = newestFirstIndex('inventory.stock_adjustments');

/** Names are kept as they were when the row was written. */
export const StockAdjustment = defineEntity({
  name: 'StockAdjustment',
  tableName: 'stock_adjustments',
  properties: {
    ...storeKeyColumns(),
    productId: p.bigint('number'),
    productName: p.text(),
    sku: p.text().nullable(),
    adjustmentType: p.text(),
    quantityChange: decimalColumn(3),
    quantityBefore: decimalColumn(3),
    quantityAfter: decimalColumn(3),
    reason: p.text().nullable(),
    notes: p.text().nullable(),
    userId: p.bigint('number').nullable(),
    userName: p.text().nullable(),
    approvedById: p.bigint('number').nullable(),
    approvedByName: p.text().nullable(),
    locationId: p.bigint('number').nullable(),
    locationName: p.text().nullable(),
    reconciliationId: p.bigint('number').nullable(),
    reconciliation: () => sameStore(StockReconciliation, { table: 'stock_adjustments', column: 'reconciliation_id' }),
    createdAt: timeColumn(),
    /** Of a row that an event caused: the movement that it reports, such as `sale:7001:0` (D220). */
    movementKey: p.text().nullable(),
  },
  uniques: [{ name: 'stock_adjustments_movement', properties: ['storeId', 'movementKey'], where: 'movement_key is not null' }],
  checks: [{ name: 'stock_adjustments_check', expression: 'quantity_after = quantity_before + quantity_change' }],
  indexes: [
    newestFirst('stock_adjustments_newest', 'store_id'),
    newestFirst('stock_adjustments_of_product', 'store_id, product_id'),
    newestFirst('stock_adjustments_of_type', 'store_id, adjustment_type'),
    newestFirst('stock_adjustments_at_location', 'store_id, location_id', ' where location_id is not null'),
  ],
});

export type AdjustmentRow = Omit<Row<typeof StockAdjustment>, 'store_id' | 'movement_key'>;

/** The columns of `AdjustmentRow`. */
export const adjustmentColumns = `id, product_id, product_name, sku, adjustment_type, quantity_change, quantity_before, quantity_after,
  reason, notes, user_id, user_name, approved_by_id, approved_by_name, location_id, location_name, reconciliation_id, created_at`;

/** Where a movement came from (D111). */
const sources = ['api', 'register', 'admin', 'purchase_order', 'system'] as const;
export type Source = (typeof sources)[number];

/** D111: one per ledger row, numbered by itself. The numbers start far from the ledger's, so that a mix-up is noticed at once. */
export const InventoryTransaction = defineEntity({
  name: 'InventoryTransaction',
  tableName: 'inventory_transactions',
  properties: {
    storeId: storeKeyColumn(),
    adjustmentId: p.bigint('number').primary(),
    adjustment: () => sameStore(StockAdjustment, { table: 'inventory_transactions', column: 'adjustment_id' }),
    id: numberedColumn(),
    source: p.enum(sources),
    oldPrice: decimalColumn(2).nullable(),
    newPrice: decimalColumn(2).nullable(),
  },
});
