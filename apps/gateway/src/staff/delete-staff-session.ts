import { rows } from '@store/db';
import { Reply } from '@store/rpc';
import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { clearCookie } from './session-text.ts';

/** DELETE /staff_sessions/current: ends the calling session on the server and clears the cookie. */
export const deleteStaffSession: Verb<'DeleteStaffSession'> = async (app, _request, { caller, sessionId }) => {
  if (sessionId === undefined) throw new Error('DeleteStaffSession needs the session that called');
  const session = tables.deleteFrom('staff_sessions').where('id', '=', sessionId).where('user_id', '=', caller.actor.userId);
  await app.db.unit(caller.storeId, (em) => rows(em, session));
  return new Reply({ success: true, message: 'Logged out' }, { cookies: [clearCookie()] });
};
