import { columnsOf } from '@store/db';
import { paginationView, parsePage } from '@store/input';
import type { Verb } from '../sales.ts';
import { tables } from '../tables.ts';
import { CashDrawerSession } from './cash-drawer-session.ts';
import { cashDrawerSessionView } from './cash-drawer-session.view.ts';
import { cashStatement, type DrawerCash, expectedCash } from './expected-cash.ts';

const perPageDefault = 50;

/** GET /cash_drawer_sessions (staff): newest first; a clerk sees those of his own (D271). */
export const listCashDrawerSessions: Verb<'ListCashDrawerSessions'> = async (app, request, { caller }) => {
  const page = parsePage(request, perPageDefault);
  const ofStore = tables.selectFrom('cash_drawer_sessions').where('store_id', '=', caller.storeId);
  const sessions = caller.actor.role === 'clerk' ? ofStore.where('clerk_id', '=', caller.actor.userId) : ofStore;
  const asked =
    request.status === 'open' || request.status === 'closed'
      ? sessions.where('closed_at', request.status === 'open' ? 'is' : 'is not', null)
      : sessions;
  const mark = page.walk?.mark;
  const newestFirst = (mark ? asked.where('id', '<', mark.id) : asked)
    .select(columnsOf(CashDrawerSession))
    .orderBy(page.walk ? 'id' : 'created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset);
  const counted = asked.select(({ fn }) => fn.countAll<number>().as('count'));
  const [rows, [total]] = await Promise.all([app.db.read(newestFirst), app.db.read(counted)]);
  const open = rows.filter((row) => !row.closed_at).map((row) => row.id);
  const held = open.length === 0 ? [] : await app.db.read<DrawerCash>(cashStatement, [caller.storeId, open]);
  const cashOf = new Map(held.map((row) => [row.session_id, row.cash]));
  return {
    cash_drawer_sessions: rows.map((row) =>
      cashDrawerSessionView(caller, row, row.expected ?? expectedCash(row.opening_float, cashOf.get(row.id))),
    ),
    pagination: paginationView(page, total!.count),
  };
};
