import type { Verb } from '../gateway.ts';
import { tables } from '../tables.ts';
import { idleSince } from './find-session.ts';

/** Lists that are not paginated are capped (D44). */
const sessionsMax = 500;

/** GET /staff_sessions: one's own sessions that have not ended, the one last used first (D263). */
export const listStaffSessions: Verb<'ListStaffSessions'> = async (app, _request, { caller, session }) => {
  const now = app.db.clock.now();
  const found = await app.db.read(
    tables
      .selectFrom('staff_sessions')
      .select(['id', 'user_agent', 'ip', 'created_at', 'last_seen_at', 'expires_at'])
      .where('user_id', '=', caller.actor.userId)
      .where('expires_at', '>', now)
      .where('last_seen_at', '>', idleSince(now))
      .orderBy('last_seen_at', 'desc')
      .orderBy('id', 'desc')
      .limit(sessionsMax),
  );
  return {
    staff_sessions: found.map((row) => ({
      id: row.id,
      device: row.user_agent,
      address: row.ip,
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_seen_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      current: row.id === session!.sessionId,
    })),
  };
};
