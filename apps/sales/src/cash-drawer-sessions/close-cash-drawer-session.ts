/** POST /cash_drawer_sessions/:id/close (staff). */
import { applyChanges, flushRecord, lockRecord, sql } from '@store/db';
import { filled, moneyField, parseFields, parseId, refuseErrors } from '@store/input';
import { invalid, missing, Problem, texts } from '@store/problem';
import { change, recordChange } from '@store/service';
import type { Verb } from '../sales.ts';
import { CashDrawerSession, sessionRow } from './cash-drawer-session.ts';
import { cashDrawerSessionView } from './cash-drawer-session.view.ts';
import { isAnothers } from './drawer-of-sale.ts';
import { cashStatement, type DrawerCash, expectedCash } from './expected-cash.ts';

const fields = { counted: filled(moneyField()) };

/** The lock waits for sales that are being recorded in the session, so the sum holds each of them or none. A clerk closes no other's (D271). */
export const closeCashDrawerSession: Verb<'CloseCashDrawerSession'> = async (app, request, call) => {
  if (request.counted === undefined && !request.malformed?.length) throw missing('counted');
  const { values, errors } = parseFields(fields, request);
  return change(app, call, async (em) => {
    const session = await lockRecord(em, CashDrawerSession, parseId(request.id));
    refuseErrors(errors);
    if (isAnothers(call.caller, session.clerkId)) throw new Problem('forbidden', texts.role);
    if (session.closedAt) throw invalid(['The cash drawer session is closed']);
    const [held] = await sql<DrawerCash>(em, cashStatement, [call.caller.storeId, [session.id]]);
    const expected = expectedCash(session.openingFloat, held?.cash);
    const now = app.db.clock.now();
    const difference = applyChanges(session, { counted: values.counted!, expected, closed_at: now }, now)!;
    await flushRecord(em, CashDrawerSession);
    await recordChange(em, app, call, CashDrawerSession, session.id, difference);
    return { cash_drawer_session: cashDrawerSessionView(call.caller, sessionRow(session), expected) };
  });
};
