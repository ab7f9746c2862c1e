/** Store credit as a tender (D210): an intent is committed, customers takes the credit, the completed sale claims the intent. */

import type { EntityManager } from '@store/db';
import { rows, sqlOne } from '@store/db';
import { Problem, texts } from '@store/problem';
import type { Call } from '@store/rpc';
import type { Sales } from '../sales.ts';
import { tables } from '../tables.ts';

export interface Intent {
  id: number;
  /** Of a new sale the id that it will have. */
  saleId: number;
  customerId: number;
  amount: string;
}

export type WantedCredit = Omit<Intent, 'id' | 'saleId'> & { saleId: number | null };

/** Commits the intent, without which nobody would know what to give back. */
export async function addIntent(app: Sales, { caller }: Pick<Call, 'caller'>, wanted: WantedCredit): Promise<Intent> {
  const row = await app.db.unit(caller.storeId, (em) =>
    sqlOne<{ id: number; sale_id: number }>(
      em,
      `insert into sales.store_credit_intents (store_id, sale_id, customer_id, amount, created_at)
       values ($1, coalesce($2, nextval('sales.sales_id_seq')), $3, $4, $5) returning id, sale_id`,
      [caller.storeId, wanted.saleId, wanted.customerId, wanted.amount, app.db.clock.now()],
    ),
  );
  return { ...wanted, id: row.id, saleId: row.sale_id };
}

/** Takes the credit at customers; a balance that is too small is its 422, and customers down the specification's 500 (D165). */
export async function takeCredit(app: Sales, call: Call, { id, saleId, customerId, amount }: Intent): Promise<void> {
  await app.customers.TakeStoreCredit({ intent_id: id, sale_id: saleId, customer_id: customerId, amount }, call);
}

/** The completed sale's claim, in its transaction: from then on nothing is given back. */
export async function claimIntent(em: EntityManager, storeId: number, { id }: Intent): Promise<void> {
  const intents = tables.deleteFrom('store_credit_intents').where('store_id', '=', storeId).where('id', '=', id);
  const [claimed] = await rows(em, intents.where('giving_back', '=', false).returning('id'));
  if (!claimed) {
    const cause = new Error('The store credit was given back before the sale was completed');
    throw new Problem('unavailable', texts.unexpected, {}, { cause });
  }
}

/** Gives back what an intent took, unless a sale claimed it. A failure is logged: the sweep tries again. */
export async function releaseIntent(app: Sales, caller: Call['caller'], { id, saleId }: Pick<Intent, 'id' | 'saleId'>): Promise<void> {
  const { storeId } = caller;
  try {
    const mark = tables.updateTable('store_credit_intents').set({ giving_back: true });
    const [marked] = await app.db.rows(mark.where('store_id', '=', storeId).where('id', '=', id).returning('id'));
    if (!marked) return;
    const call = { caller, deadlineMs: Date.now() + giveBackMaxMs };
    await app.customers.GiveBackStoreCredit({ intent_id: id, sale_id: saleId }, call);
    const intents = tables.deleteFrom('store_credit_intents').where('store_id', '=', storeId).where('id', '=', id);
    await app.db.rows(intents);
  } catch (error) {
    app.log.error({ err: error, store_id: storeId, intent_id: id }, 'Store credit was not given back; the sweep tries again');
  }
}

const giveBackMaxMs = 5_000;
