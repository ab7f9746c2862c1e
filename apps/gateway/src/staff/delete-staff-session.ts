import { type EntityManager, sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import { Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Gateway, GatewayCall, Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { clearCookie } from './session-text.ts';

/** DELETE /staff_sessions/current: ends the calling session on the server and clears the cookie. */
export const deleteStaffSession: Verb<'DeleteStaffSession'> = async (app, _request, call) => {
  await app.db.unit(call.caller.storeId, (em) => sql(em, ownSessions(call).where('id', '=', call.session!.sessionId)));
  return new Reply({ success: true, message: 'Logged out' }, { cookies: [clearCookie()] });
};

/** DELETE /staff_sessions/:id: ends a session that may be on a lost device (D263). */
export const endStaffSession: Verb<'EndStaffSession'> = async (app, request, call) => {
  const id = parseId(request.id);
  return change(app, call, async (em) => {
    if (id === undefined || !(await end(em, app, call, ownSessions(call).where('id', '=', id)))) throw notFound('Staff session');
    return { success: true, message: 'Session ended' };
  });
};

export const endOtherStaffSessions: Verb<'EndOtherStaffSessions'> = (app, _request, call) =>
  change(app, call, async (em) => {
    await end(em, app, call, ownSessions(call).where('id', '<>', call.session!.sessionId));
    return { success: true, message: 'Other sessions ended' };
  });

const ownSessions = ({ caller }: GatewayCall) =>
  tables.deleteFrom('staff_sessions').where('store_id', '=', caller.storeId).where('user_id', '=', caller.actor.userId);

async function end(em: EntityManager, app: Gateway, { caller }: GatewayCall, sessions: ReturnType<typeof ownSessions>): Promise<number> {
  const ended = await sql(em, sessions.returning(['id', 'ip']));
  await emit(
    em,
    app.outbox,
    caller,
    ended.map(({ id, ip }) => {
      const audit = { action: 'staff_session.end', resource_type: 'StaffSession', resource_id: id, before: { address: ip }, after: null };
      return { name: 'staff_session.ended', aggregate: `staff_user:${caller.actor.userId}`, audit };
    }),
  );
  return ended.length;
}
