import { insertRecord } from '@store/db';
import { acceptBody, filled, moneyField, refuseErrors } from '@store/input';
import { invalid } from '@store/problem';
import { change, recordChange } from '@store/service';
import type { Verb } from '../sales.ts';
import { CashDrawerSession, sessionRow } from './cash-drawer-session.ts';
import { cashDrawerSessionView } from './cash-drawer-session.view.ts';

const fields = { opening_float: filled(moneyField()) };

/** POST /cash_drawer_sessions (staff): opens the caller's drawer; of two at once the index lets one through. */
export const openCashDrawerSession: Verb<'OpenCashDrawerSession'> = async (app, request, call) => {
  const { values, errors } = acceptBody(fields, ['opening_float'], request);
  const { userId: clerkId, userName: clerkName } = call.caller.actor;
  return change(app, call, async (em) => {
    refuseErrors(errors);
    if ((await em.count(CashDrawerSession, { clerkId, closedAt: null })) > 0) throw invalid(['A cash drawer session is already open']);
    const sent = { opening_float: values.opening_float!, clerk_name: clerkName, clerk_id: clerkId };
    const open = { ...sent, expected: null, counted: null, closed_at: null };
    const session = await insertRecord(em, CashDrawerSession, open, app.db.clock.now());
    await recordChange(em, app, call, CashDrawerSession, session.id, { before: null, after: sent });
    return { cash_drawer_session: cashDrawerSessionView(call.caller, sessionRow(session), session.openingFloat) };
  });
};
