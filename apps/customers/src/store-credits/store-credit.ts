/** Store credit: its ledger, in which each row continues from the row before, and what sales took as a tender. */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, idColumn, isoTime, type Row, storeKeyColumn, timeColumn } from '@store/db';
import type { StoreCreditTransaction as StoreCreditTransactionMessage } from '@store/protos/customers/v1.ts';
import type { Caller } from '@store/rpc';

const money = () => decimalColumn(2);
/** Holds more than staff may issue: a void gives back on top of that (docs/decisions/0145). */
const balance = () => decimalColumn(2, 20);

export const StoreCreditTransaction = defineEntity({
  name: 'StoreCreditTransaction',
  tableName: 'store_credit_transactions',
  properties: {
    storeId: storeKeyColumn(),
    customerId: p.bigint('number').primary(),
    id: idColumn(),
    transactionType: p.text(),
    /** Signed. */
    amount: money(),
    balanceBefore: balance(),
    balanceAfter: balance(),
    notes: p.text().nullable(),
    saleId: p.bigint('number').nullable(),
    userId: p.bigint('number').nullable(),
    userName: p.text().nullable(),
    createdAt: timeColumn(),
  },
  checks: [
    { name: 'store_credit_transactions_continue', expression: 'balance_before + amount = balance_after' },
    { name: 'store_credit_transactions_covered', expression: 'balance_after >= 0' },
  ],
  indexes: [{ name: 'store_credit_transactions_made', properties: ['storeId', 'createdAt'] }],
});

/** What sales took; the one row per intent of sales makes taking and giving back idempotent (D210). */
export const StoreCreditTender = defineEntity({
  name: 'StoreCreditTender',
  tableName: 'store_credit_tenders',
  properties: {
    storeId: p.bigint('number').primary().autoincrement(false),
    intentId: p.bigint('number').primary().autoincrement(false),
    saleId: p.bigint('number'),
    /** Null where it was given back before any was taken: a late call takes nothing. */
    customerId: p.bigint('number').nullable(),
    amount: money(),
    givenBack: p.boolean(),
    createdAt: timeColumn(),
  },
  indexes: [{ name: 'store_credit_tenders_sale', properties: ['storeId', 'saleId'] }],
});

/** What staff write; sales and rewards write redeem, refund and reward (D123, D228). */
export const transactionTypes = ['issue', 'redeem', 'refund', 'adjust', 'expire', 'reward'] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** These take credit; the sign of an adjust is the sender's, all others add. */
export const takes = new Set<TransactionType>(['redeem', 'expire']);

/** The credit of an archived customer is a liability still, which managers see and pay out (D272). */
export const seesArchivedCredit = ({ actor }: Caller): boolean => actor.role === 'manager' || actor.role === 'admin';

/** As it is read with its customer, as JSON: a time is ISO text. */
export type TransactionRead = Omit<Row<typeof StoreCreditTransaction>, 'created_at'> & { created_at: string };

export function transactionView(row: TransactionRead): StoreCreditTransactionMessage {
  return {
    id: row.id,
    transaction_type: row.transaction_type,
    amount: Number(row.amount),
    balance_before: Number(row.balance_before),
    balance_after: Number(row.balance_after),
    notes: row.notes ?? undefined,
    sale_id: row.sale_id ?? undefined,
    user_name: row.user_name ?? undefined,
    created_at: isoTime(row.created_at),
  };
}
