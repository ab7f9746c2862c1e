import { cappedList } from '@store/service';
import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { idleSince } from './find-session.ts';

/** GET /staff_sessions: one's own sessions that have not ended, the one last used first (D263). */
export const listStaffSessions: Verb<'ListStaffSessions'> = async (app, _request, { caller, session }) => {
  const now = app.db.clock.now();
  const sessions = tables
    .selectFrom('staff_sessions')
    .select(['id', 'user_agent', 'ip', 'created_at', 'last_seen_at', 'expires_at'])
    .where('store_id', '=', caller.storeId)
    .where('user_id', '=', caller.actor.userId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', idleSince(now))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc');
  const view = (row: Awaited<ReturnType<typeof sessions.execute>>[number]) => ({
    id: row.id,
    device: row.user_agent,
    address: row.ip,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    current: row.id === session!.sessionId,
  });
  return cappedList({ read: (limit) => app.db.read(sessions.limit(limit)), answer: (rows) => ({ staff_sessions: rows.map(view) }) });
};
