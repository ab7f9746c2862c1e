import type { Verb } from '../customers.ts';

const sums = `
  select transaction_type, count(*)::int as count, sum(amount)::numeric(24, 2)::text as amount from customers.store_credit_transactions
  where store_id = $1 and created_at >= $2 and created_at < $3 group by transaction_type order by transaction_type`;

interface SumRow {
  transaction_type: string;
  count: number;
  amount: string;
}

/** Asked by sales for a day's report: movements by type, summed here, however many there are. */
export const sumStoreCredit: Verb<'SumStoreCredit'> = async (app, { from, to }, { caller }) => ({
  sums: await app.db.read<SumRow>(sums, [caller.storeId, from, to]),
});
