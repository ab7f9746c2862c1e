/** A line of a sale: what was sold, with the product's name, sku, price and cost as they were (D215). */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, numberedColumn, type Row, storeKeyColumn } from '@store/db';

/** A modifier as the line keeps it: money and quantity as decimal text. */
export interface KeptModifier {
  name: string;
  quantity: string;
  price_adjustment: string;
  removed: boolean;
}

export const SaleLineItem = defineEntity({
  name: 'SaleLineItem',
  tableName: 'sale_line_items',
  properties: {
    storeId: storeKeyColumn(),
    saleId: p.bigint('number').primary(),
    /** From 0, in the order sent. */
    position: p.integer().primary(),
    id: numberedColumn(),
    productId: p.bigint('number'),
    productName: p.text(),
    sku: p.text().nullable(),
    quantity: decimalColumn(3),
    unitPrice: decimalColumn(2),
    discountAmount: decimalColumn(2),
    total: decimalColumn(2),
    /** What a unit cost the store; never shown. */
    cost: decimalColumn(2).nullable(),
    /** Its product takes no manual discount, the sale's included (D219). */
    discountBlocked: p.boolean().default(false),
    /** Its product is a bundle, which lies at no location. */
    bundle: p.boolean().default(false),
    kitchenItem: p.boolean(),
    modifiers: p.json<KeptModifier[]>().defaultRaw("'[]'"),
    note: p.text().nullable(),
  },
});

export type SaleLineItemRow = Row<typeof SaleLineItem>;
