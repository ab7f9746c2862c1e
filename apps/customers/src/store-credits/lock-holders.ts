import { type EntityManager, sql } from '@store/db';

/** Customers' credit, archived customers included. */
export interface Holder {
  balance: string;
  archived: boolean;
}

/** The customers, locked until the commit in id order (D211). SQL text: sales asks for it in each sale that is paid so. */
export async function lockHolders(em: EntityManager, storeId: number, ids: number[]): Promise<Map<number, Holder>> {
  const rows = await sql<{ id: number; balance: string; archived: boolean }>(
    em,
    `select id, store_credit_balance as balance, archived_at is not null as archived from customers.customers
     where store_id = $1 and id = any ($2::bigint[]) order by id for update`,
    [storeId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
