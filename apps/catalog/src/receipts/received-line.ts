/** Lines of purchase orders as the catalogue keeps them: what costs are computed from, and which product a line became. */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, storeIdColumn, timeColumn } from '@store/db';

export const ReceivedLine = defineEntity({
  name: 'ReceivedLine',
  tableName: 'received_lines',
  properties: {
    storeId: storeIdColumn().primary(),
    lineId: p.bigint('number').primary(),
    /** Null while the line is not matched. */
    productId: p.bigint('number').nullable(),
    quantity: decimalColumn(3),
    /** Null: the line counts in no cost (D246). */
    unitCost: p.decimal('string').columnType('numeric').nullable(),
    landedCost: decimalColumn(2).nullable(),
    receivedAt: timeColumn().nullable(),
    /** Of the event that it is from: an older one does not replace it. */
    version: p.bigint('number'),
  },
  indexes: [{ name: 'received_lines_of_product', properties: ['storeId', 'productId'], where: 'product_id is not null' }],
});

/** The product that was made for a line: asked again, the line gets the same one (D243). */
export const LineProduct = defineEntity({
  name: 'LineProduct',
  tableName: 'line_products',
  properties: {
    storeId: storeIdColumn().primary(),
    lineId: p.bigint('number').primary(),
    /** Null only within the transaction that makes it. */
    productId: p.bigint('number').nullable(),
  },
});
