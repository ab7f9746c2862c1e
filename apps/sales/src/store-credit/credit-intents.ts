/** Store credit as a tender (D210): an intent is committed, customers takes the credit, the completed sale claims the intent. */

import { type EntityManager, sql } from '@store/db';
import { Problem, retryAfter, texts, unexpected } from '@store/problem';
import type { Call } from '@store/rpc';
import { actorOf } from '@store/service';
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
export type TakeCredit = (wanted: WantedCredit) => Promise<Intent>;

/** An intent that an earlier request with the same key may have left is the one of this request too (D275). */
const add = `
  insert into sales.store_credit_intents as i (store_id, sale_id, customer_id, amount, actor, request_key, created_at)
  values ($1, coalesce($2, nextval('sales.sales_id_seq')), $3, $4, $5, $6, $7)
  on conflict (store_id, actor, request_key) do update set created_at = excluded.created_at
    where not i.giving_back and i.customer_id = excluded.customer_id and i.amount = excluded.amount and i.sale_id = coalesce($2, i.sale_id)
  returning id, sale_id, xmax = 0 as is_new`;

/** If its amount differs, as prices have changed, its credit is given back first. */
const triesMax = 3;

/** Commits the intent, without which nobody would know what to give back; `isNew`: no earlier request has left it. */
export async function addIntent(app: Sales, { caller }: Pick<Call, 'caller'>, wanted: WantedCredit): Promise<Intent & { isNew: boolean }> {
  const { storeId, idempotency } = caller;
  const name = idempotency ? [actorOf(caller), idempotency.key] : [null, null];
  const values = [storeId, wanted.saleId, wanted.customerId, wanted.amount, ...name, app.db.clock.now()];
  for (let tries = 1; ; tries++) {
    const [row] = await app.db.unit(storeId, (em) => sql<{ id: number; sale_id: number; is_new: boolean }>(em, add, values));
    if (row) return { ...wanted, id: row.id, saleId: row.sale_id, isNew: row.is_new };
    if (tries === triesMax) throw new Problem('unavailable', texts.unexpected, { headers: retryAfter });
    const own = tables.selectFrom('store_credit_intents').select(['id', 'sale_id']).where('store_id', '=', storeId);
    const [other] = await app.db.read(own.where('actor', '=', name[0]!).where('request_key', '=', name[1]!));
    if (other) await releaseIntent(app, caller, { id: other.id, saleId: other.sale_id });
  }
}

/**
 * Runs `work`, which may take store credit: a balance that is too small is customers' 422, and customers down the specification's 500
 * (D165). Credit that no committed sale has claimed by the end is given back.
 */
export async function withCredit<T>(app: Sales, call: Call, work: (take: TakeCredit) => Promise<T>): Promise<T> {
  const added: Intent[] = [];
  const take: TakeCredit = async (wanted) => {
    const { isNew, ...intent } = await addIntent(app, call, wanted);
    // The request that left an earlier one may be under way still; otherwise the sweep gives back what is not claimed.
    if (isNew) added.push(intent);
    const { id, saleId, customerId, amount } = intent;
    await app.customers.TakeStoreCredit({ intent_id: id, sale_id: saleId, customer_id: customerId, amount }, call);
    return intent;
  };
  try {
    return await work(take);
  } finally {
    for (const intent of added) await releaseIntent(app, call.caller, intent);
  }
}

/** The completed sale's claim, in its transaction: from then on nothing is given back. */
export async function claimIntent(em: EntityManager, storeId: number, { id }: Intent): Promise<void> {
  const intents = tables.deleteFrom('store_credit_intents').where('store_id', '=', storeId).where('id', '=', id);
  const [claimed] = await sql(em, intents.where('giving_back', '=', false).returning('id'));
  if (!claimed) throw unexpected(new Error('The store credit was given back before the sale was completed'));
}

/** Gives back what an intent took, unless a sale claimed it. A failure is logged: the sweep tries again. */
export async function releaseIntent(
  app: Sales,
  caller: Call['caller'],
  { id, saleId }: Pick<Intent, 'id' | 'saleId'>,
  /** Only if no request has asked for it since. */
  before?: Date,
): Promise<void> {
  const { storeId } = caller;
  try {
    const mark = tables.updateTable('store_credit_intents').set({ giving_back: true });
    const asked = mark.where('store_id', '=', storeId).where('id', '=', id).returning('id');
    const [marked] = await app.db.read(before ? asked.where('created_at', '<', before) : asked);
    if (!marked) return;
    const call = { caller, deadlineMs: Date.now() + giveBackMaxMs };
    // A dry run took nothing.
    if (!caller.dryRun) await app.customers.GiveBackStoreCredit({ intent_id: id, sale_id: saleId }, call);
    const intents = tables.deleteFrom('store_credit_intents').where('store_id', '=', storeId).where('id', '=', id);
    await app.db.read(intents);
  } catch (error) {
    app.log.warn({ err: error, store_id: storeId, intent_id: id }, 'Store credit was not given back; the sweep tries again');
  }
}

const giveBackMaxMs = 5_000;
