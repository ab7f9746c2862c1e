/** Which cash drawer a sale belongs to, and which one pays its cash back (D239, D271). Text, as every sale at the register asks it. */
import { type EntityManager, type Row, sql } from '@store/db';
import { invalid } from '@store/problem';
import type { Caller } from '@store/rpc';
import type { CashDrawerSession } from './cash-drawer-session.ts';

type Drawer = Pick<Row<typeof CashDrawerSession>, 'id' | 'clerk_id' | 'closed_at' | 'created_at'>;

/** Share locks: the session cannot be closed before the sale is committed, so its sum misses no sale. */
const columns = 'id, clerk_id, closed_at, created_at';
const byId = `select ${columns} from sales.cash_drawer_sessions where store_id = $1 and id = $2 for share`;
const openOf = `select ${columns} from sales.cash_drawer_sessions where store_id = $1 and clerk_id = $2 and closed_at is null for share`;

async function lockDrawer(em: EntityManager, storeId: number, id: number): Promise<Drawer | undefined> {
  return (await sql<Drawer>(em, byId, [storeId, id]))[0];
}

async function lockOpen(em: EntityManager, { storeId, actor }: Caller): Promise<Drawer | undefined> {
  return (await sql<Drawer>(em, openOf, [storeId, actor.userId]))[0];
}

/** A clerk answers for one drawer, and so books into no other. */
export const isAnothers = ({ actor }: Caller, clerkId: number): boolean => actor.role === 'clerk' && actor.userId !== clerkId;

/** The session that was named; unknown, closed, another clerk's or opened after the sale was completed is a 422. */
export async function namedDrawer(em: EntityManager, caller: Caller, id: number, completedAt: Date | null): Promise<number> {
  const drawer = await lockDrawer(em, caller.storeId, id);
  if (!drawer) throw invalid(['Cash drawer session is unknown']);
  if (isAnothers(caller, drawer.clerk_id)) throw invalid(["Cash drawer session is another clerk's"]);
  if (drawer.closed_at) throw invalid(['Cash drawer session is closed']);
  if (isEarlier(completedAt, drawer)) throw invalid(['Cash drawer session was opened after the sale was completed']);
  return id;
}

/** The sale's own session while it is open, otherwise the clerk's open one; a sale needs none, and one of before it was opened has none. */
export async function usualDrawer(em: EntityManager, caller: Caller, own: number | null, completedAt: Date | null): Promise<number | null> {
  const named = own === null ? undefined : await lockDrawer(em, caller.storeId, own);
  const drawer = named && !named.closed_at ? named : await lockOpen(em, caller);
  return drawer && !isEarlier(completedAt, drawer) ? drawer.id : null;
}

function isEarlier(completedAt: Date | null, drawer: Drawer): boolean {
  return completedAt !== null && completedAt < drawer.created_at;
}

/**
 * Before a void: a session that is being closed counts the cash either with the sale or without it. Of a session that was closed
 * before, and of none, the open one of who voids pays; null: none does.
 */
export async function drawerThatPays(em: EntityManager, caller: Caller, own: number | null): Promise<number | null> {
  const drawer = own === null ? undefined : await lockDrawer(em, caller.storeId, own);
  return drawer && !drawer.closed_at ? null : ((await lockOpen(em, caller))?.id ?? null);
}
