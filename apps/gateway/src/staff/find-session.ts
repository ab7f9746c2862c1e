/** Finds a session's user by its token; read from the database each time, so a change of role applies at once. */
import { costsScope, fullSettingsScope, type Role, scopes } from '@store/contract';
import type { Db } from '@store/db';
import { storeColumns, storeRecord } from '../stores/store.view.ts';
import type { StoreRecord } from '../stores/store-record.ts';
import { tables } from '../tables.ts';
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
  confirmedAt: Date | null;
  /** The store demands a second factor of this role, and the user has none: only setting it up is allowed (D262). */
  lacksSecondFactor: boolean;
  scopes: ReadonlySet<string>;
}

export const idleMs = 30 * 60_000;
export const absoluteMs = 12 * 3_600_000;
/** How long a password that was given counts (D261). */
const confirmedMs = 10 * 60_000;
/** last_seen_at is written at most once in this time. */
const touchEveryMs = 60_000;

const sessions = tables
  .selectFrom('staff_sessions as t')
  .innerJoin('staff_users as u', (on) => on.onRef('u.store_id', '=', 't.store_id').onRef('u.id', '=', 't.user_id'))
  .where('u.active', '=', true);

const sessionsOfToken = sessions
  .innerJoin('stores as s', 's.id', 'u.store_id')
  .select([
    't.id as session_id',
    't.csrf_hash',
    't.last_seen_at',
    't.confirmed_at',
    'u.id as user_id',
    'u.name as user_name',
    'u.role',
    'u.second_factor_at',
    's.settings',
    'u.financial_data',
  ])
  .select(storeColumns);

/** The valid session of this token: used within 30 minutes, begun within 12 hours, user active. `isUse`: this counts as a use. */
export async function findSession(app: { db: Db }, token: string, { isUse = true } = {}): Promise<SessionRecord | undefined> {
  const hash = hashToken(token);
  if (!hash) return undefined;
  const now = app.db.clock.now();
  const live = sessionsOfToken.where('t.expires_at', '>', now).where('t.last_seen_at', '>', idleSince(now));
  const [row] = await app.db.read(live.where('t.token_hash', '=', hash));
  if (!row) return undefined;
  const store = storeRecord(row);
  if (isUse && now.getTime() - row.last_seen_at.getTime() >= touchEveryMs) {
    const session = tables.updateTable('staff_sessions').where('store_id', '=', store.storeId).where('id', '=', row.session_id);
    await app.db.read(session.set({ last_seen_at: now }).where('last_seen_at', '<', now));
  }
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    name: row.user_name,
    role: row.role,
    financialData: row.financial_data,
    storeId: store.storeId,
    store,
    csrfHash: Buffer.from(row.csrf_hash),
    confirmedAt: row.confirmed_at,
    lacksSecondFactor: row.settings.require_second_factor === true && row.role !== 'clerk' && row.second_factor_at === null,
    scopes: row.financial_data ? withCosts : withoutCosts,
  };
}

/** Whether a session is still valid and has that role; unlike a request, this does not count as use. */
export async function isAlive(
  app: { db: Db },
  { sessionId, storeId, role }: Pick<SessionRecord, 'sessionId' | 'storeId' | 'role'>,
): Promise<boolean> {
  const now = app.db.clock.now();
  const live = sessions.where('t.expires_at', '>', now).where('t.last_seen_at', '>', idleSince(now));
  const own = live.where('t.store_id', '=', storeId).where('t.id', '=', sessionId).where('u.role', '=', role);
  const rows = await app.db.read(own.select('t.id'));
  return rows.length > 0;
}

/** Whether the password was given in this session within the last ten minutes. */
export function isConfirmed({ db }: { db: Pick<Db, 'clock'> }, session: Pick<SessionRecord, 'confirmedAt'> | undefined): boolean {
  const since = session?.confirmedAt?.getTime();
  return since !== undefined && db.clock.now().getTime() - since < confirmedMs;
}

export const idleSince = (now: Date) => new Date(now.getTime() - idleMs);

const withCosts: ReadonlySet<string> = new Set([...scopes, fullSettingsScope]);
const withoutCosts: ReadonlySet<string> = new Set([...withCosts].filter((scope) => scope !== costsScope));
