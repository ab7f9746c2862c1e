/** Reads one customer's store credit: in one statement, so that the balance is that of the newest transaction. */
import { jsonArrayFrom, type Row } from '@store/db';
import type { Customer } from '../customers/customer.ts';
import { tables } from '../tables.ts';
import { type TransactionRead, transactionView } from './store-credit.ts';

/** "the 10 most recent". */
const recentMax = 10;

/** Newest first. A customer's rows are written under its lock, so their ids have the order of their commits. */
const recentTransactions = (storeId: number, customerId: number) =>
  tables
    .selectFrom('store_credit_transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(recentMax);

export const creditOf = (storeId: number, id: number) =>
  tables
    .selectFrom('customers')
    .select(['id', 'name', 'archived_at', 'store_credit_balance', jsonArrayFrom(recentTransactions(storeId, id)).as('recent')])
    .where('store_id', '=', storeId)
    .where('id', '=', id);

type CreditRow = Pick<Row<typeof Customer>, 'id' | 'name' | 'store_credit_balance'> & { recent: TransactionRead[] };

export function storeCreditView({ id, name, store_credit_balance, recent }: CreditRow) {
  return { customer_id: id, customer_name: name, balance: Number(store_credit_balance), recent_transactions: recent.map(transactionView) };
}
