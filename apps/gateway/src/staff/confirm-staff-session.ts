import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';

/** POST /staff_sessions/confirm: the pipeline has checked the password (D261). No Idempotency-Key: repeating it is harmless. */
export const confirmStaffSession: Verb<'ConfirmStaffSession'> = async (app, _request, { caller, session }) => {
  const confirmed = tables.updateTable('staff_sessions').set({ confirmed_at: app.db.clock.now() });
  await app.db.read(confirmed.where('id', '=', session!.sessionId).where('user_id', '=', caller.actor.userId));
  return { success: true, message: 'Password confirmed' };
};
