/** Who approved a stock count. */
import { type EntityManager, sql } from '@store/db';
import { invalid } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { Named } from '../stock-adjustments/ledger.ts';

/**
 * The member of staff of that id. Inventory asks nobody for staff: it knows who calls, and by name
 * whoever has moved stock in this store.
 */
export async function approver(em: EntityManager, caller: Caller, id: number | null): Promise<Named | undefined> {
  if (id === null) return undefined;
  if (caller.actor.userId === id) return { id, name: caller.actor.userName };
  const [known] = await sql<{ user_name: string }>(
    em,
    `select user_name from inventory.stock_adjustments where store_id = $1 and user_id = $2 order by id desc limit 1`,
    [caller.storeId, id],
  );
  if (!known) throw invalid(['Approved by is not a known member of staff']);
  return { id, name: known.user_name };
}
