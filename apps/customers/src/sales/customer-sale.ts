/** A sale's effect on its customer: one row per sale, so that it counts once and its void takes exactly that back (D221). */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, timeColumn } from '@store/db';

export const CustomerSale = defineEntity({
  name: 'CustomerSale',
  tableName: 'customer_sales',
  properties: {
    storeId: p.bigint('number').primary().autoincrement(false),
    saleId: p.bigint('number').primary().autoincrement(false),
    customerId: p.bigint('number'),
    spend: decimalColumn(2),
    visits: p.integer(),
    /** Also the mark of a void that came before its completion, which then counts nothing (D222). */
    voided: p.boolean(),
    createdAt: timeColumn(),
  },
});
