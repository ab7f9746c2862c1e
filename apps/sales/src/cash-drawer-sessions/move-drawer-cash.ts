import { flushRecord } from '@store/db';
import { acceptBody, cents, filled, requiredText, signedMoneyField } from '@store/input';
import { invalid } from '@store/problem';
import { change, recordChange } from '@store/service';
import { fitsMoney } from '../sales/totals.ts';
import type { Verb } from '../sales.ts';
import { CashDrawerMovement, movementView } from './cash-drawer-movement.ts';
import { sessionRow } from './cash-drawer-session.ts';
import { cashDrawerSessionView } from './cash-drawer-session.view.ts';
import { expectedNow, lockOpenDrawer } from './expected-cash.ts';

const reasonMax = 1_000;
const fields = { amount: filled(signedMoneyField()), reason: requiredText(reasonMax) };

/** POST /cash_drawer_sessions/:id/movements (staff): a count that is under way has this cash or refuses it. */
export const moveDrawerCash: Verb<'MoveDrawerCash'> = async (app, request, call) => {
  const { values, errors } = acceptBody(fields, ['amount'], { reason: '', ...request });
  if (!errors.amount && cents(values.amount!) === 0n) errors.amount = ['must be other than 0'];
  const { caller } = call;
  return change(app, call, async (em) => {
    const session = await lockOpenDrawer(em, caller, request.id, errors);
    const [amount, reason, userName, createdAt] = [values.amount!, values.reason!, caller.actor.userName || null, app.db.clock.now()];
    const { storeId } = caller;
    const movement = em.create(CashDrawerMovement, { storeId, sessionId: session.id, amount, reason, userName, createdAt });
    em.persist(movement);
    await flushRecord(em, CashDrawerMovement);
    const sent = { session_id: session.id, amount, reason, user_name: userName };
    await recordChange(em, app, call, CashDrawerMovement, movement.id, { before: null, after: sent });
    const expected = await expectedNow(em, session);
    if (!fitsMoney(cents(expected))) throw invalid(['Amount is too large']);
    return {
      cash_drawer_session: cashDrawerSessionView(caller, sessionRow(session), expected),
      movement: movementView({ id: movement.id, ...sent, created_at: createdAt }),
    };
  });
};
