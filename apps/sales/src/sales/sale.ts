/** A sale: its table and that of its payments, its states, and the values that staff may give it. */
import { defineEntity, p } from '@mikro-orm/core';
import {
  decimalColumn,
  newestFirstIndex,
  numberedColumn,
  type Row,
  storeKeyColumn,
  storeKeyColumns,
  timeColumn,
  timeColumns,
} from '@store/db';

export const saleStatuses = ['pending', 'ready', 'completed', 'voided'] as const;
export type SaleStatus = (typeof saleStatuses)[number];

/** D98: open lists; a later release may add values. */
export const sources = ['pos', 'online', 'phone', 'api_import'] as const;
export const saleTypes = ['retail', 'wholesale', 'delivery'] as const;
export const fulfillmentMethods = ['in_store', 'pickup', 'local_delivery', 'shipping'] as const;
export const fulfillmentStatuses = ['open', 'fulfilled'] as const;

/** D98. `split` stands for two or more of the others. */
export const tenderMethods = ['cash', 'debit', 'credit', 'e_transfer', 'gift_card', 'store_credit', 'green_echeck'] as const;
export type TenderMethod = (typeof tenderMethods)[number];
export const split = 'split';

/** D94: fulfilled later than it is sold; GET /sales?status=pending shows these until they are fulfilled. */
export const deliveredMethods = ['local_delivery', 'shipping'] as const;

const money = () => decimalColumn(2);
const awaited = `status = 'pending' or (status <> 'voided' and fulfillment_status = 'open')`;

const newestFirst = newestFirstIndex('sales.sales');

export const Sale = defineEntity({
  name: 'Sale',
  tableName: 'sales',
  properties: {
    ...storeKeyColumns(),
    receiptNumber: p.text(),
    status: p.enum(saleStatuses),
    source: p.text(),
    saleType: p.text(),
    paymentMethod: p.text().$type<TenderMethod | typeof split>().nullable(),
    customerId: p.bigint('number').nullable(),
    /** Who sold it; the name as it was then. */
    clerkId: p.bigint('number').nullable(),
    clerkName: p.text().nullable(),
    subtotal: money(),
    /** Line discounts and the sale's own. */
    discountAmount: money(),
    /** The sale's own discount alone. */
    saleDiscount: money(),
    /** Percent per component of the tax, as it was when the lines were written (D215). */
    taxRates: p.json<string[]>(),
    /** Their names; null on sales of before they were kept. */
    taxNames: p.json<string[]>().nullable(),
    taxAmount: money(),
    total: money(),
    greenEcheckSurcharge: money().nullable(),
    /** Tender and surcharge; null without a Green eCheck tender (D237). */
    greenEcheckTotalPaid: money().nullable(),
    fulfillmentMethod: p.text(),
    fulfillmentStatus: p.enum(fulfillmentStatuses),
    cashDrawerSessionId: p.bigint('number').nullable(),
    /** The session that paid its cash back, where its own was closed before the void or it had none (D271). */
    refundDrawerSessionId: p.bigint('number').nullable(),
    /** Kept when the sale is voided: a sale counted exactly if it has one. */
    completedAt: timeColumn().nullable(),
    voidedAt: timeColumn().nullable(),
    voidReason: p.text().nullable(),
    /** The id that another system has for it. */
    externalId: p.text().nullable(),
    /** Of the staff. */
    note: p.text().nullable(),
    /** completed_at, otherwise created_at: the date that GET /sales matches. */
    listedAt: timeColumn(),
    ...timeColumns(),
  },
  checks: [{ name: 'sales_listed_at_check', expression: 'listed_at = COALESCE(completed_at, created_at)' }],
  uniques: [
    { name: 'sales_store_id_receipt_number_key', properties: ['storeId', 'receiptNumber'] },
    { name: 'sales_external', properties: ['storeId', 'externalId'], where: 'external_id is not null' },
  ],
  indexes: [
    // A window of dates is one range of it, and its order within the window is read from it without the rows.
    newestFirst('sales_listed', 'store_id, listed_at desc'),
    {
      name: 'sales_receipt_search',
      expression:
        'create index sales_receipt_search on sales.sales using gin (store_id, receipt_number public.gin_trgm_ops) with (gin_pending_list_limit = 512)',
    },
    { name: 'sales_updated', properties: ['storeId', 'updatedAt'] },
    { name: 'sales_voided', properties: ['storeId', 'voidedAt'], where: 'voided_at is not null' },
    newestFirst('sales_awaited', 'store_id', ` where ${awaited}`),
    newestFirst('sales_of_customer', 'store_id, customer_id', ' where customer_id is not null'),
    {
      name: 'sales_recent',
      expression: "create index sales_recent on sales.sales (store_id, customer_id, completed_at desc, id desc) where status = 'completed'",
    },
    newestFirst('sales_of_drawer', 'store_id, cash_drawer_session_id', ' where cash_drawer_session_id is not null'),
    { name: 'sales_refunded_by_drawer', properties: ['storeId', 'refundDrawerSessionId'], where: 'refund_drawer_session_id is not null' },
  ],
});

export type SaleRow = Row<typeof Sale>;

/** How a sale is paid: of a completed one the tenders taken; of a parked one, what is to be taken (D209). */
export const SalePayment = defineEntity({
  name: 'SalePayment',
  tableName: 'sale_payments',
  properties: {
    storeId: storeKeyColumn(),
    saleId: p.bigint('number').primary(),
    /** From 0, in the order sent. */
    position: p.integer().primary(),
    id: numberedColumn(),
    method: p.enum(tenderMethods),
    amount: decimalColumn(2),
    /** Of a gift card. */
    cardNumber: p.text().nullable(),
  },
});
