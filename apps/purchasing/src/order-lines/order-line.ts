/** A line of a purchase order, and the supplier documents that billed lines. */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, numberedColumn, type Row, storeKeyColumn, storeKeyColumns, timeColumn } from '@store/db';

export const matchStatuses = ['matched', 'unmatched', 'create_new'] as const;
export type MatchStatus = (typeof matchStatuses)[number];

const quantity = () => decimalColumn(3);
/** No scale: a cost is kept with the decimals that it has, up to four (D268). */
const cost = () => p.decimal('string').columnType('numeric');

export const PurchaseOrderLine = defineEntity({
  name: 'PurchaseOrderLine',
  tableName: 'purchase_order_lines',
  properties: {
    storeId: storeKeyColumn(),
    orderId: p.bigint('number').primary(),
    position: p.integer().primary(),
    id: numberedColumn(),
    productId: p.bigint('number').nullable(),
    /** Of the product when it was ordered or matched; as it was sent for a line without one (D244). */
    productName: p.text().nullable(),
    sku: p.text().nullable(),
    unitType: p.text(),
    /** Of the product: a bundle lies at no location (D107). */
    bundle: p.boolean(),
    quantityOrdered: quantity(),
    quantityReceived: quantity(),
    quantityInvoiced: quantity().nullable(),
    /** Null on a line that was not ordered and came without a cost: it stays out of the costs (D246). */
    unitPrice: cost().nullable(),
    unitCostInvoiced: cost().nullable(),
    matchStatus: p.enum(matchStatuses),
    supplierDocumentId: p.bigint('number').nullable(),
    /** When something of it last arrived. */
    receivedAt: timeColumn().nullable(),
  },
});

/** A line as statements return it and verbs change it. */
export type LineRow = Omit<Row<typeof PurchaseOrderLine>, 'store_id'>;

/** A line that is not written yet. */
export type NewLine = Omit<LineRow, 'id' | 'order_id' | 'position'>;

/** A supplier's document about an order; an invoice is the only kind so far. */
export const SupplierDocument = defineEntity({
  name: 'SupplierDocument',
  tableName: 'supplier_documents',
  properties: {
    ...storeKeyColumns(),
    orderId: p.bigint('number'),
    documentType: p.enum(['invoice'] as const),
    userId: p.bigint('number').nullable(),
    userName: p.text().nullable(),
    createdAt: timeColumn(),
  },
  indexes: [{ name: 'supplier_documents_of_order', properties: ['storeId', 'orderId'] }],
});
