/** Reads of one customer's store credit. */
import { tables } from '../tables.ts';
import { type TransactionRow, transactionView } from './store-credit.ts';

/** "the 10 most recent". */
const recentMax = 10;

/** A customer that is not archived (D225). */
export const creditOf = (storeId: number, id: number) =>
  tables
    .selectFrom('customers')
    .select(['id', 'name', 'store_credit_balance'])
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .where('archived_at', 'is', null);

/** Newest first. A customer's rows are written under its lock, so their ids have the order of their commits. */
export const recentTransactions = (storeId: number, customerId: number) =>
  tables
    .selectFrom('store_credit_transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(recentMax);

export interface CreditRow {
  id: number;
  name: string;
  store_credit_balance: string;
}

export function storeCreditView({ id, name, store_credit_balance }: CreditRow, transactions: TransactionRow[]) {
  return {
    customer_id: id,
    customer_name: name,
    balance: Number(store_credit_balance),
    recent_transactions: transactions.map(transactionView),
  };
}
