/** Which cash drawer a sale belongs to (D239). Text, as every sale at the register asks it. */
import { type EntityManager, type Row, sql } from '@store/db';
import { invalid } from '@store/problem';
import type { CashDrawerSession } from './cash-drawer-session.ts';

type Drawer = Pick<Row<typeof CashDrawerSession>, 'id' | 'closed_at'>;

/** Share locks: the session cannot be closed before the sale is committed, so its sum misses no sale. */
const byId = 'select id, closed_at from sales.cash_drawer_sessions where store_id = $1 and id = $2 for share';
const openOf = 'select id, closed_at from sales.cash_drawer_sessions where store_id = $1 and clerk_id = $2 and closed_at is null for share';

async function lockDrawer(em: EntityManager, storeId: number, id: number): Promise<Drawer | undefined> {
  return (await sql<Drawer>(em, byId, [storeId, id]))[0];
}

/** The session that was named; closed or unknown is a 422. */
export async function namedDrawer(em: EntityManager, storeId: number, id: number): Promise<number> {
  const drawer = await lockDrawer(em, storeId, id);
  if (!drawer) throw invalid(['Cash drawer session is unknown']);
  if (drawer.closed_at) throw invalid(['Cash drawer session is closed']);
  return id;
}

/** The sale's own session while it is open, otherwise the clerk's open one; a sale needs none. */
export async function usualDrawer(em: EntityManager, storeId: number, own: number | null, clerkId: number): Promise<number | null> {
  const drawer = own === null ? undefined : await lockDrawer(em, storeId, own);
  if (drawer && !drawer.closed_at) return drawer.id;
  const [open] = await sql<Drawer>(em, openOf, [storeId, clerkId]);
  return open?.id ?? null;
}

/** Before a void: a session that is being closed counts the cash either with the sale or without it. */
export async function holdDrawer(em: EntityManager, storeId: number, id: number | null): Promise<void> {
  if (id !== null) await lockDrawer(em, storeId, id);
}
