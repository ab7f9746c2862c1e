/** The cash that drawers should hold (D239): the float and the cash of their sales that are not voided. */
import { cents, moneyText } from '../sales/totals.ts';
import { tables } from '../tables.ts';

/** Cash of completed sales by session; a sale that was voided has given its cash back. */
export function cashStatement(storeId: number, sessionIds: number[]) {
  return tables
    .selectFrom('sales as sale')
    .innerJoin('sale_payments as payment', (join) =>
      join.onRef('payment.store_id', '=', 'sale.store_id').onRef('payment.sale_id', '=', 'sale.id'),
    )
    .where('sale.store_id', '=', storeId)
    .where('sale.cash_drawer_session_id', 'in', sessionIds)
    .where('sale.status', '=', 'completed')
    .where('payment.method', '=', 'cash')
    .groupBy('sale.cash_drawer_session_id')
    .select(({ fn }) => ['sale.cash_drawer_session_id as session_id', fn.sum<string>('payment.amount').as('cash')]);
}

export const expectedCash = (openingFloat: string, cash: string | undefined): string =>
  moneyText(cents(openingFloat) + cents(cash ?? '0.00'));
