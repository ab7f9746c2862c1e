import { pageOfLedger } from '../customers/page-of-ledger.ts';
import type { Verb } from '../customers.ts';
import { StoreCreditTransaction, seesArchivedCredit, transactionView } from './store-credit.ts';

/** GET /customers/:id/store_credit/transactions. */
export const listStoreCreditTransactions: Verb<'ListStoreCreditTransactions'> = async (app, request, { caller }) => {
  const ledger = { entity: StoreCreditTransaction, withArchived: seesArchivedCredit(caller) };
  const { rows, pagination } = await pageOfLedger(app, request, caller, ledger);
  const transactions = rows.map(({ merged_from, ...row }) => ({
    ...transactionView({ ...row, created_at: row.created_at.toISOString() }),
    merged_from,
  }));
  return { transactions, pagination };
};
