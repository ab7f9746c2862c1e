import { type EntityManager, sql } from '@store/db';
import { moneyScale, moneyText, scaled, twoDecimals } from '@store/input';
import { invalid } from '@store/problem';
import { callUnit, userOf } from '@store/service';
import { emitCustomers } from '../customers/emit-customers.ts';
import type { Verb } from '../customers.ts';
import { lockHolders } from './lock-holders.ts';
import { moveCredit } from './move-credit.ts';

/**
 * Asked by sales before it completes a sale: takes the credit once per intent, and answers again with what is left. Refused
 * where the customer is archived (D225), has too little (D211), or the intent was given back before (D210).
 */
export const takeStoreCredit: Verb<'TakeStoreCredit'> = async (app, request, call) => {
  const { caller } = call;
  const { storeId } = caller;
  const [intentId, saleId, named] = [Number(request.intent_id), Number(request.sale_id), Number(request.customer_id)];
  const amount = amountOf(request.amount);
  return callUnit(app.db, call, async (em) => {
    const holder = (await lockHolders(em, storeId, [named])).get(named);
    if (!holder) throw invalid(['Customer must exist']);
    const customerId = holder.id;
    const now = app.db.clock.now();
    if (await claim(em, [storeId, intentId, saleId, customerId, amount, now])) {
      if (holder.archived) throw invalid(['Customer is archived']);
      const movement = { customer_id: customerId, transaction_type: 'redeem', amount: `-${amount}`, sale_id: saleId } as const;
      const balances = new Map([[customerId, holder.balance]]);
      await moveCredit(em, { storeId, now }, [{ ...movement, user: userOf(caller) }], balances);
      await emitCustomers(em, app, caller, [{ id: customerId, name: 'customer.updated' }]);
      return { balance: balances.get(customerId)! };
    }
    const [tender] = await sql<{ given_back: boolean }>(
      em,
      'select given_back from customers.store_credit_tenders where store_id = $1 and intent_id = $2',
      [storeId, intentId],
    );
    if (tender!.given_back) throw invalid(['Store credit was given back']);
    return { balance: twoDecimals(holder.balance) };
  });
};

function amountOf(text: string | undefined): string {
  const amount = scaled(text ?? '', moneyScale);
  if (amount === undefined || amount <= 0n) throw invalid(['Amount must be greater than 0']);
  return moneyText(amount);
}

/** False: the intent has its row, so it was taken or given back before. */
async function claim(
  em: EntityManager,
  values: [store: number, intent: number, sale: number, customer: number, amount: string, now: Date],
) {
  const rows = await sql(
    em,
    `insert into customers.store_credit_tenders (store_id, intent_id, sale_id, customer_id, amount, given_back, created_at)
     values ($1, $2, $3, $4, $5, false, $6) on conflict do nothing returning intent_id`,
    values,
  );
  return rows.length > 0;
}
