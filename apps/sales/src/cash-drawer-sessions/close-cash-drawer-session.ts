import { applyChanges, flushRecord } from '@store/db';
import { acceptBody, filled, moneyField } from '@store/input';
import { change, recordChange } from '@store/service';
import type { Verb } from '../sales.ts';
import { CashDrawerSession, sessionRow } from './cash-drawer-session.ts';
import { cashDrawerSessionView } from './cash-drawer-session.view.ts';
import { expectedNow, lockOpenDrawer } from './expected-cash.ts';

const fields = { counted: filled(moneyField()) };

/** POST /cash_drawer_sessions/:id/close (staff). The lock waits for sales that are being recorded in it: the sum holds each or none. */
export const closeCashDrawerSession: Verb<'CloseCashDrawerSession'> = async (app, request, call) => {
  const { values, errors } = acceptBody(fields, ['counted'], request);
  return change(app, call, async (em) => {
    const session = await lockOpenDrawer(em, call.caller, request.id, errors);
    const expected = await expectedNow(em, session);
    const now = app.db.clock.now();
    const difference = applyChanges(session, { counted: values.counted!, expected, closed_at: now }, now)!;
    await flushRecord(em, CashDrawerSession);
    await recordChange(em, app, call, CashDrawerSession, session.id, difference);
    return { cash_drawer_session: cashDrawerSessionView(call.caller, sessionRow(session), expected) };
  });
};
