/** Gives back what sales took: for an intent that no sale completed, and for a completed sale that was voided (D210, D212). */
import { type Clock, type EntityManager, sql } from '@store/db';
import { lockHolders } from './lock-holders.ts';
import { moveCredit } from './move-credit.ts';

export interface GivenBack {
  customer_id: number;
  sale_id: number;
  amount: string;
}

interface Context {
  storeId: number;
  clock: Clock;
  /** Who voided each sale; null for the sweep. */
  users: Map<number, { id: number; name: string } | null>;
}

const tenders = 'customers.store_credit_tenders';

/** The intent is given back, whether its credit was taken already or not; a later call takes nothing. */
export async function giveBackIntent(em: EntityManager, context: Context, intentId: number, saleId: number): Promise<GivenBack[]> {
  const { storeId, clock } = context;
  const marked = await sql(
    em,
    `insert into ${tenders} (store_id, intent_id, sale_id, amount, given_back, created_at) values ($1, $2, $3, 0, true, $4)
     on conflict do nothing returning intent_id`,
    [storeId, intentId, saleId, clock.now()],
  );
  if (marked.length > 0) return [];
  return giveBack(em, context, 'intent_id', [intentId]);
}

/** What completed sales took; archived customers get it too (D225). */
export function giveBackSales(em: EntityManager, context: Context, saleIds: number[]): Promise<GivenBack[]> {
  return giveBack(em, context, 'sale_id', saleIds);
}

/** Customers are locked before tenders, as where credit is taken. */
async function giveBack(em: EntityManager, context: Context, column: 'intent_id' | 'sale_id', ids: number[]): Promise<GivenBack[]> {
  const { storeId, clock, users } = context;
  if (ids.length === 0) return [];
  const held = await sql<{ customer_id: number }>(
    em,
    `select distinct customer_id from ${tenders} where store_id = $1 and ${column} = any ($2::bigint[]) and not given_back`,
    [storeId, ids],
  );
  if (held.length === 0) return [];
  const holderIds = held.map((row) => row.customer_id);
  const holders = await lockHolders(em, storeId, holderIds);
  const given = await sql<GivenBack & { intent_id: number }>(
    em,
    `update ${tenders} set given_back = true where store_id = $1 and ${column} = any ($2::bigint[]) and not given_back
     returning intent_id, customer_id, sale_id, amount`,
    [storeId, ids],
  );
  const movements = given
    .sort((a, b) => a.intent_id - b.intent_id)
    .map((tender) => ({
      customer_id: holders.get(tender.customer_id)!.id,
      transaction_type: 'refund' as const,
      amount: tender.amount,
      sale_id: tender.sale_id,
      user: users.get(tender.sale_id) ?? null,
    }));
  // Read the clock after locking: the ledger's times never decrease.
  await moveCredit(em, { storeId, now: clock.now() }, movements, new Map([...holders.values()].map(({ id, balance }) => [id, balance])));
  return given.map((tender) => ({ ...tender, customer_id: holders.get(tender.customer_id)!.id }));
}
