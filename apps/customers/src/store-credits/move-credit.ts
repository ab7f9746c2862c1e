/** Writes movements of store credit: the ledger rows and the customers' balances, under the customers' locks. */
import { type EntityManager, sql } from '@store/db';
import { cents, moneyMax, moneyText } from '@store/input';
import { invalid } from '@store/problem';
import { chainMovements, type Movement, movedTotals } from '../chain-movements.ts';
import type { TransactionType } from './store-credit.ts';

interface CreditMovement extends Movement {
  transaction_type: TransactionType;
  /** Signed decimal text. */
  amount: string;
  notes?: string | null;
  sale_id?: number;
}

/** Writes the movements in their order; `balances` are the locked customers' credit before, and are moved on. */
export async function moveCredit(
  em: EntityManager,
  { storeId, now }: { storeId: number; now: Date },
  movements: CreditMovement[],
  balances: Map<number, string>,
): Promise<void> {
  if (movements.length === 0) return;
  const rows = chainMovements(movements, balances, balanceAfter);
  await sql(
    em,
    `insert into customers.store_credit_transactions (store_id, customer_id, transaction_type, amount, balance_before, balance_after,
       notes, sale_id, user_id, user_name, created_at)
     select $1, x.customer_id, x.transaction_type, x.amount, x.before, x.after, x.notes, x.sale_id, x.user_id, x.user_name, $2
     from json_to_recordset($3::json) as x(n int, customer_id bigint, transaction_type text, amount numeric, before numeric,
       after numeric, notes text, sale_id bigint, user_id bigint, user_name text)
     order by x.n`,
    [storeId, now, JSON.stringify(rows)],
  );
  await sql(
    em,
    `update customers.customers c set store_credit_balance = x.total, updated_at = $2
     from json_to_recordset($3::json) as x(id bigint, total numeric)
     where c.store_id = $1 and c.id = x.id`,
    [storeId, now, movedTotals(movements, balances)],
  );
}

function balanceAfter(before: string, { amount, sale_id }: CreditMovement): string {
  const after = cents(before) + cents(amount);
  if (after < 0n) throw invalid(['Store credit is not enough']);
  // What staff move is limited (D166). A void is never cut: the sale took the amount (docs/decisions/0145).
  if (after >= moneyMax && sale_id === undefined) throw invalid(['Store credit is too large']);
  return moneyText(after);
}
