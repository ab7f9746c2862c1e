/** Who approved a stock count. */
import { type EntityManager, sql } from '@store/db';
import { invalid } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { Named } from '../stock-adjustments/ledger-line.ts';

/** The member of staff of that id, as the gateway's events made them known. */
export async function approver(em: EntityManager, caller: Caller, id: number | null): Promise<Named | undefined> {
  if (id === null) return undefined;
  if (caller.actor.userId === id) return { id, name: caller.actor.userName };
  const [known] = await sql<{ name: string }>(em, 'select name from inventory.staff_users where store_id = $1 and id = $2', [
    caller.storeId,
    id,
  ]);
  if (!known) throw invalid(['Approved by is not a member of staff']);
  return { id, name: known.name };
}
