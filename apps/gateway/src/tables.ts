/** The gateway's tables: the entities that declare them, and typed statements over them. */
import { type BackgroundOf, tablesOf } from '@store/db';
import { AuditEntry } from './audit/audit-entry.ts';
import { Backup } from './backups/backup.ts';
import { ApiKey, KeyMinute, PepperMark } from './keys/api-key.ts';
import { HandledRequest } from './requests/handled-request.ts';
import { LoginFailuresByAccount, LoginFailuresByIp, LoginGuess } from './staff/login-counts.ts';
import { StaffSession } from './staff/staff-session.ts';
import { StaffUser } from './staff/staff-user.ts';
import { Store } from './stores/store.ts';

export const entities = [
  Store,
  StaffUser,
  StaffSession,
  LoginGuess,
  LoginFailuresByIp,
  LoginFailuresByAccount,
  ApiKey,
  KeyMinute,
  PepperMark,
  AuditEntry,
  HandledRequest,
  Backup,
];

export const tables = tablesOf<(typeof entities)[number]>('gateway');

/** Queues, and what timers and reading requests write: the journeys wait for the first and do not compare the second. */
export const background: BackgroundOf<(typeof entities)[number]> = {
  staff_sessions: { writes: 'all' },
  login_guesses: { writes: 'all' },
  login_failures_by_ip: { writes: 'all' },
  login_failures_by_account: { writes: 'all' },
  api_keys: { writes: ['last_used_at', 'scopes_used'] },
  key_usage: { writes: 'all' },
  requests: { writes: 'all' },
  backups: { writes: 'all' },
};
