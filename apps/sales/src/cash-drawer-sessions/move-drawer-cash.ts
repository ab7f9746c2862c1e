/** POST /cash_drawer_sessions/:id/movements (staff). */
import { flushRecord, lockRecord, sql } from '@store/db';
import { filled, parseFields, parseId, refuseErrors, requiredText, signedMoneyField } from '@store/input';
import { invalid, missing, Problem, texts } from '@store/problem';
import { change, recordChange } from '@store/service';
import { cents } from '../sales/totals.ts';
import type { Verb } from '../sales.ts';
import { CashDrawerMovement, movementView } from './cash-drawer-movement.ts';
import { CashDrawerSession, sessionRow } from './cash-drawer-session.ts';
import { cashDrawerSessionView } from './cash-drawer-session.view.ts';
import { isAnothers } from './drawer-of-sale.ts';
import { cashStatement, type DrawerCash, expectedCash } from './expected-cash.ts';

const reasonMax = 1_000;
/** What NUMERIC(14,2) holds. */
const centsMax = 10n ** 14n;
const fields = { amount: filled(signedMoneyField()), reason: requiredText(reasonMax) };

/** Under the lock of the session: a count that is under way has this cash or refuses it. A clerk moves no other's (D271). */
export const moveDrawerCash: Verb<'MoveDrawerCash'> = async (app, request, call) => {
  if (request.amount === undefined && !request.malformed?.includes('amount')) throw missing('amount');
  const { values, errors } = parseFields(fields, { reason: '', ...request });
  if (!errors.amount && cents(values.amount!) === 0n) errors.amount = ['must be other than 0'];
  const { caller } = call;
  return change(app, call, async (em) => {
    const session = await lockRecord(em, CashDrawerSession, parseId(request.id));
    refuseErrors(errors);
    if (isAnothers(caller, session.clerkId)) throw new Problem('forbidden', texts.role);
    if (session.closedAt) throw invalid(['The cash drawer session is closed']);
    const sent = { session_id: session.id, amount: values.amount!, reason: values.reason!, user_name: caller.actor.userName || null };
    const now = app.db.clock.now();
    const movement = em.create(CashDrawerMovement, {
      storeId: caller.storeId,
      sessionId: session.id,
      amount: sent.amount,
      reason: sent.reason,
      userName: sent.user_name,
      createdAt: now,
    });
    em.persist(movement);
    await flushRecord(em, CashDrawerMovement);
    await recordChange(em, app, call, CashDrawerMovement, movement.id, { before: null, after: sent });
    const [held] = await sql<DrawerCash>(em, cashStatement, [caller.storeId, [session.id]]);
    const expected = expectedCash(session.openingFloat, held?.cash);
    if (cents(expected) >= centsMax || -cents(expected) >= centsMax) throw invalid(['Amount is too large']);
    return {
      cash_drawer_session: cashDrawerSessionView(caller, sessionRow(session), expected),
      movement: movementView({ id: movement.id, ...sent, created_at: now }),
    };
  });
};
