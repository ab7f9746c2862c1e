/** How a sale is paid. Of a completed sale they are the tenders taken; of a parked one, what is to be taken (D209). */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, idColumn, type Row, storeIdColumn } from '@store/db';

/** D98. `split` stands for two or more of the others. */
export const tenderMethods = ['cash', 'debit', 'credit', 'e_transfer', 'gift_card', 'store_credit', 'green_echeck'] as const;
export type TenderMethod = (typeof tenderMethods)[number];
export const split = 'split';

export const SalePayment = defineEntity({
  name: 'SalePayment',
  tableName: 'sale_payments',
  properties: {
    id: idColumn(),
    storeId: storeIdColumn(),
    saleId: p.bigint('number'),
    /** From 0, in the order sent. */
    position: p.integer(),
    method: p.enum(tenderMethods),
    amount: decimalColumn(2),
    /** Of a gift card. */
    cardNumber: p.text().nullable(),
  },
  uniques: [{ name: 'sale_payments_store_id_sale_id_position_key', properties: ['storeId', 'saleId', 'position'] }],
});

export type SalePaymentRow = Row<typeof SalePayment>;
