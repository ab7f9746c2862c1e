import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { decimalColumn, newestFirstIndex, type Row, storeKeyColumns, timeColumn, timeColumns } from '@store/db';

/** In the order in which an order moves; cancelled is outside of it. */
export const orderStatuses = ['pending', 'confirmed', 'shipped', 'partially_received', 'received', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The states that PATCH /purchase_orders/:id accepts (D240). */
export const statusesByHand: readonly OrderStatus[] = ['confirmed', 'shipped', 'received', 'cancelled'];

/** Orders move forward and may skip; received and cancelled are final (D113). */
export function mayMove(from: OrderStatus, to: OrderStatus): boolean {
  if (isFinal(from)) return false;
  return orderStatuses.indexOf(to) > orderStatuses.indexOf(from);
}

export function isFinal(status: OrderStatus): boolean {
  return status === 'received' || status === 'cancelled';
}

const money = () => decimalColumn(2);

const newestFirst = newestFirstIndex('purchasing.purchase_orders');

export const PurchaseOrder = defineEntity({
  name: 'PurchaseOrder',
  tableName: 'purchase_orders',
  properties: {
    ...storeKeyColumns(),
    orderNumber: p.text(),
    status: p.enum(orderStatuses),
    supplierId: p.bigint('number').nullable(),
    subtotal: money(),
    taxAmount: money(),
    shippingCost: money(),
    total: money(),
    orderedAt: timeColumn().nullable(),
    receivedAt: timeColumn().nullable(),
    /** Kept with every change of a line, so that the list finds and counts such orders by an index. */
    hasVariance: p.boolean(),
    /** Receipts and corrections so far: each has its number, by which other services count it once. */
    receiptCount: p.integer(),
    expectedOn: p.date().nullable(),
    notes: p.text().nullable(),
    supplierInvoiceNumber: p.text().nullable(),
    supplierInvoiceDate: p.date().nullable(),
    /** The id that another system has for it. */
    externalId: p.text().nullable(),
    ...timeColumns(),
  },
  uniques: [
    { name: 'purchase_orders_store_id_order_number_key', properties: ['storeId', 'orderNumber'] },
    { name: 'purchase_orders_external', properties: ['storeId', 'externalId'], where: 'external_id is not null' },
  ],
  indexes: [
    newestFirst('purchase_orders_newest', 'store_id'),
    newestFirst('purchase_orders_of_status', 'store_id, status'),
    newestFirst('purchase_orders_of_supplier', 'store_id, supplier_id', ' where supplier_id is not null'),
    newestFirst('purchase_orders_with_variance', 'store_id', ' where has_variance'),
    { name: 'purchase_orders_updated', properties: ['storeId', 'updatedAt'] },
  ],
});

export type OrderRecord = InferEntity<typeof PurchaseOrder>;
export type OrderRow = Row<typeof PurchaseOrder>;
