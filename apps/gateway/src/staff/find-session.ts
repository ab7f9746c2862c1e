/** From a session token to who is asking; read from the database each time, so a change of role holds at once. */
import type { Role } from '@store/contract';
import type { Db } from '@store/db';
import { costsScope, fullSettingsScope, scopes } from '../keys/scopes.ts';
import { type StoreColumns, storeColumns, storeRecord } from '../stores/store.view.ts';
import type { StoreRecord } from '../stores/store-record.ts';
import { hashToken } from './session-text.ts';

export interface SessionRecord {
  sessionId: number;
  userId: number;
  name: string;
  role: Role;
  /** The user sees costs (Rules 4). */
  financialData: boolean;
  storeId: number;
  store: StoreRecord;
  csrfHash: Buffer;
  /** What the endpoints' scope options ask for, as this user holds it. */
  scopes: ReadonlySet<string>;
}

export const idleMs = 30 * 60_000;
export const absoluteMs = 12 * 3_600_000;
/** last_seen_at is written at most this often. */
const touchEveryMs = 60_000;

interface Row extends StoreColumns {
  session_id: string;
  csrf_hash: Buffer;
  seen_at_ms: string;
  user_id: string;
  user_name: string;
  role: Role;
  financial_data: boolean;
}

const query = `
  select t.id::text as session_id, t.csrf_hash, (extract(epoch from t.last_seen_at) * 1000)::bigint::text as seen_at_ms,
         u.id::text as user_id, u.name as user_name, u.role, u.financial_data, ${storeColumns}
  from gateway.staff_sessions t
  join gateway.staff_users u on u.id = t.user_id
  join gateway.stores s on s.id = u.store_id
  where t.token_hash = $1 and t.expires_at > $2 and t.last_seen_at > $3 and u.active`;

/** The living session of this token: idle for less than 30 minutes, begun less than 12 hours ago, user active. */
export async function findSession(app: { db: Db }, token: string): Promise<SessionRecord | undefined> {
  const hash = hashToken(token);
  if (!hash) return undefined;
  const now = app.db.clock.now();
  const [row] = await app.db.read<Row>('find-session', query, [hash, now, new Date(now.getTime() - idleMs)]);
  if (!row) return undefined;
  if (now.getTime() - Number(row.seen_at_ms) >= touchEveryMs) {
    await app.db.read('touch-session', 'update gateway.staff_sessions set last_seen_at = $2 where id = $1 and last_seen_at < $2', [
      row.session_id,
      now,
    ]);
  }
  const store = storeRecord(row);
  return {
    sessionId: Number(row.session_id),
    userId: Number(row.user_id),
    name: row.user_name,
    role: row.role,
    financialData: row.financial_data,
    storeId: store.storeId,
    store,
    csrfHash: row.csrf_hash,
    scopes: row.financial_data ? withCosts : withoutCosts,
  };
}

/** Whether a session is still good and of that role; unlike a request, asking does not count as use of it. */
export async function isAlive(
  app: { db: Db },
  { sessionId, storeId, role }: Pick<SessionRecord, 'sessionId' | 'storeId' | 'role'>,
): Promise<boolean> {
  const now = app.db.clock.now();
  const rows = await app.db.read(
    'session-alive',
    `select from gateway.staff_sessions t join gateway.staff_users u on u.id = t.user_id
     where t.id = $1 and t.expires_at > $2 and t.last_seen_at > $3 and u.active and u.role = $4
       and u.store_id = $5`,
    [sessionId, now, new Date(now.getTime() - idleMs), role, storeId],
  );
  return rows.length > 0;
}

const withCosts: ReadonlySet<string> = new Set([...scopes, fullSettingsScope]);
const withoutCosts: ReadonlySet<string> = new Set([...withCosts].filter((scope) => scope !== costsScope));
