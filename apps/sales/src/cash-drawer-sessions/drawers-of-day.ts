import { columnsOf } from '@store/db';
import { tables } from '../tables.ts';
import { CashDrawerMovement } from './cash-drawer-movement.ts';
import { CashDrawerSession } from './cash-drawer-session.ts';

interface Window {
  from: Date;
  to: Date;
}

/** Those that were closed in it, the first one first. */
export const closedDrawers = (storeId: number, { from, to }: Window, limit: number) =>
  tables
    .selectFrom('cash_drawer_sessions')
    .select(columnsOf(CashDrawerSession))
    .where('store_id', '=', storeId)
    .where('closed_at', '>=', from)
    .where('closed_at', '<', to)
    .orderBy('closed_at')
    .orderBy('id')
    .limit(limit);

/** What was put in and taken out in it, the first one first. */
export const drawerMovements = (storeId: number, { from, to }: Window, limit: number) =>
  tables
    .selectFrom('cash_drawer_movements')
    .select(columnsOf(CashDrawerMovement))
    .where('store_id', '=', storeId)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);

/** Of the store $1, from $2 to before $3: the differences of those that were closed, and how many were open at the end. */
export const drawerTotals = `
  select
    (select coalesce(sum(counted - expected), 0)::numeric(24, 2)::text from sales.cash_drawer_sessions
      where store_id = $1 and closed_at >= $2 and closed_at < $3) as difference,
    (select count(*)::int from sales.cash_drawer_sessions
      where store_id = $1 and created_at < $3 and (closed_at is null or closed_at >= $3)) as open`;

/** The row of the statement. */
export interface DrawerTotals {
  difference: string;
  open: number;
}
