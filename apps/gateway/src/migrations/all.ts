import { buildIndexes, statements, storeColumns, storeKeys } from '@store/db';
import { indexOutbox, storeInInbox } from '@store/events';
import { StoresKeysStaffAudit } from './1-stores-keys-staff-audit.ts';
import { LoginGuesses } from './2-login-guesses.ts';
import { KeepRequests } from './4-requests.ts';

/** The release before counts on a key's id and minute; made last, so that this release's processes meet their own key first. */
const minutes = [
  'create unique index concurrently if not exists key_usage_store_key on gateway.key_usage (store_id, key_id, minute)',
  'create unique index concurrently if not exists earlier_key_usage_of_key on gateway.key_usage (key_id, minute)',
];

export const migrations = {
  '1-stores-keys-staff-audit': StoresKeysStaffAudit,
  '2-login-guesses': LoginGuesses,
  // One entry per event, even if it is delivered again after the inbox has forgotten it; older entries have no event id.
  '3-audit-entry-event': statements(
    'alter table gateway.audit_entries add column event_id uuid',
    'create unique index audit_entries_event on gateway.audit_entries (event_id)',
  ),
  '4-requests': KeepRequests,
  // A mark per pepper number, so that a different pepper under a used number is detected at the start.
  '5-pepper-marks': statements('create table gateway.pepper_marks (pepper_id int primary key, mark bytea not null)'),
  // GET /requests and its summary read a store's requests by time.
  '6-requests-of-store': statements('create index requests_of_store on gateway.requests (store_id, created_at)'),
  // D259: 429 and 401 are counted per key and minute, not a row of gateway.requests each.
  '7-refused-requests': statements(
    'alter table gateway.key_usage add column rate_limited bigint not null default 0',
    'alter table gateway.key_usage add column unauthorized bigint not null default 0',
  ),
  // D261 and D263: when a session's password was last given, and where the session is.
  '8-password-given-lately': statements(
    `alter table gateway.staff_sessions
      add column confirmed_at timestamptz(3), add column user_agent text not null default '', add column ip text not null default ''`,
  ),
  // D262: codes of an authenticator app beside the password.
  '9-second-factors': statements(
    `alter table gateway.staff_users
      add column second_factor_secret text,
      add column second_factor_at timestamptz(3),
      add column second_factor_step int not null default 0,
      add column recovery_codes text[] not null default '{}'`,
  ),
  '10-outbox-of-store': buildIndexes(indexOutbox('gateway')),
  // D264: who was invited chooses the password by a link that is used once; until then there is none.
  '11-staff-invites': statements(
    `alter table gateway.staff_users
      alter column password_hash drop not null, add column invite_hash bytea, add column invite_expires_at timestamptz(3)`,
  ),
  // One row a backup, from which its alert knows the age of the last one.
  '12-backups': statements('create table gateway.backups (made_at timestamptz(3) primary key default now())'),
  ...storeColumns('gateway', 13, [
    { table: 'staff_sessions', column: 'user_id', parent: 'staff_users' },
    { table: 'key_usage', column: 'key_id', parent: 'api_keys' },
  ]),
  '15-found-without-store': buildIndexes(
    'create index concurrently if not exists staff_users_invite on gateway.staff_users (invite_hash) where invite_hash is not null',
    'create index concurrently if not exists staff_sessions_of_user on gateway.staff_sessions (store_id, user_id)',
    ...minutes,
  ),
  ...storeKeys('gateway', 16, [
    {
      table: 'staff_users',
      namedBy: [
        { table: 'staff_sessions', column: 'user_id' },
        { table: 'api_keys', column: 'created_by' },
      ],
    },
    { table: 'staff_sessions', instead: { index: 'staff_sessions_user' } },
    { table: 'api_keys' },
    { table: 'key_usage', key: ['key_id', 'minute'] },
    { table: 'audit_entries' },
    { table: 'requests' },
  ]),
  '19-inbox-of-store': statements(storeInInbox('gateway')),
};
