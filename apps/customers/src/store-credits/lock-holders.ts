import { type EntityManager, sql } from '@store/db';

/** Customers' credit, archived customers included. */
export interface Holder {
  /** Of a merged customer that of the customer that it is now. */
  id: number;
  balance: string;
  archived: boolean;
}

/**
 * The customers by the ids that were asked for, locked until the commit in id order (D211); in place of one that was merged, the customer
 * that it is now. SQL text: sales asks for it in each sale that is paid so.
 */
export async function lockHolders(em: EntityManager, storeId: number, ids: number[]): Promise<Map<number, Holder>> {
  const rows = await sql<Holder & { merged_into: number | null }>(
    em,
    `select id, store_credit_balance as balance, archived_at is not null as archived, merged_into from customers.customers
     where store_id = $1 and id = any ($2::bigint[]) order by id for update`,
    [storeId, ids],
  );
  const merged = rows.filter((row) => row.merged_into !== null);
  const kept = merged.length === 0 ? undefined : await lockHolders(em, storeId, [...new Set(merged.map((row) => row.merged_into!))]);
  return new Map(rows.map((row) => [row.id, row.merged_into === null ? row : kept!.get(row.merged_into)!]));
}
