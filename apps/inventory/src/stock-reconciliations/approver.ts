/** Who approved a stock count. */
import { type EntityManager, sql } from '@store/db';
import { invalid } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { Named } from '../stock-adjustments/ledger-line.ts';
import { tables } from '../tables.ts';

/** The member of staff of that id, as the gateway's events named them. */
export async function approver(em: EntityManager, caller: Caller, id: number | null): Promise<Named | undefined> {
  if (id === null) return undefined;
  if (caller.actor.userId === id) return { id, name: caller.actor.userName };
  const named = tables.selectFrom('staff_users').select('name').where('store_id', '=', caller.storeId).where('id', '=', id);
  const [known] = await sql(em, named);
  if (!known) throw invalid(['Approved by is not a member of staff']);
  return { id, name: known.name };
}
