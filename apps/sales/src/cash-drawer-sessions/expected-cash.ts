/** The cash that drawers should hold (D239, D271): the float, the cash of their sales and what was put in, without what went out. */
import { type EntityManager, lockRecord, sql } from '@store/db';
import { cents, type FieldErrors, moneyText, parseId, refuseErrors } from '@store/input';
import { invalid, Problem, texts } from '@store/problem';
import type { Caller } from '@store/rpc';
import { CashDrawerSession, type CashDrawerSessionRecord } from './cash-drawer-session.ts';
import { isAnothers } from './drawer-of-sale.ts';

/**
 * Cash of the sessions $2. A sale that was voided while its session was open has given its cash back there; one that was voided
 * later, or was in none, took it from another session, which is the lower by it. Text, as a sum by either of two columns is no typed
 * query.
 */
export const cashStatement = `
  select session_id, sum(cash) as cash from (
  select coalesce(sale.refund_drawer_session_id, sale.cash_drawer_session_id) as session_id,
    case when sale.refund_drawer_session_id is null then payment.amount else -payment.amount end as cash
  from sales.sales sale join sales.sale_payments payment on payment.store_id = $1 and payment.sale_id = sale.id
  where sale.store_id = $1 and payment.method = 'cash'
    and ((sale.cash_drawer_session_id = any ($2::bigint[]) and sale.status = 'completed') or sale.refund_drawer_session_id = any ($2::bigint[]))
  union all
  select session_id, amount from sales.cash_drawer_movements where store_id = $1 and session_id = any ($2::bigint[])) moved
  group by session_id`;

/** A row of the statement. */
export interface DrawerCash {
  session_id: number;
  cash: string;
}

export const expectedCash = (openingFloat: string, cash: string | undefined): string =>
  moneyText(cents(openingFloat) + cents(cash ?? '0.00'));

/** Of a locked session, in the transaction that changes it. */
export async function expectedNow(em: EntityManager, { storeId, id, openingFloat }: CashDrawerSessionRecord): Promise<string> {
  const [held] = await sql<DrawerCash>(em, cashStatement, [storeId, [id]]);
  return expectedCash(openingFloat, held?.cash);
}

/** The session, locked; `errors` of the body come after its 404, and before another clerk's 403 (D271) and a closed one's 422. */
export async function lockOpenDrawer(
  em: EntityManager,
  caller: Caller,
  id: string | undefined,
  errors: FieldErrors,
): Promise<CashDrawerSessionRecord> {
  const session = await lockRecord(em, CashDrawerSession, parseId(id));
  refuseErrors(errors);
  if (isAnothers(caller, session.clerkId)) throw new Problem('forbidden', texts.role);
  if (session.closedAt) throw invalid(['The cash drawer session is closed']);
  return session;
}
