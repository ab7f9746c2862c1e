import { buildIndexes, storeColumns, storeKeys } from '@store/db';
import { indexOutbox } from '@store/events';
import { StoresKeysStaffAudit } from './1-stores-keys-staff-audit.ts';
import { LoginGuesses } from './2-login-guesses.ts';
import { AddAuditEntryEvent } from './3-audit-entry-event.ts';
import { KeepRequests } from './4-requests.ts';
import { MarkPeppers } from './5-pepper-marks.ts';
import { IndexRequestsOfStore } from './6-requests-of-store.ts';
import { CountRefusedRequests } from './7-refused-requests.ts';
import { KeepPasswordGivenLately } from './8-password-given-lately.ts';
import { KeepSecondFactors } from './9-second-factors.ts';
import { InviteStaff } from './11-staff-invites.ts';
import { NoteBackups } from './12-backups.ts';

/** The release before counts on a key's id and minute; made last, so that this release's processes meet their own key first. */
const minutes = [
  'create unique index concurrently if not exists key_usage_store_key on gateway.key_usage (store_id, key_id, minute)',
  'create unique index concurrently if not exists earlier_key_usage_of_key on gateway.key_usage (key_id, minute)',
];

export const migrations = {
  '1-stores-keys-staff-audit': StoresKeysStaffAudit,
  '2-login-guesses': LoginGuesses,
  '3-audit-entry-event': AddAuditEntryEvent,
  '4-requests': KeepRequests,
  '5-pepper-marks': MarkPeppers,
  '6-requests-of-store': IndexRequestsOfStore,
  '7-refused-requests': CountRefusedRequests,
  '8-password-given-lately': KeepPasswordGivenLately,
  '9-second-factors': KeepSecondFactors,
  '10-outbox-of-store': buildIndexes(indexOutbox('gateway')),
  '11-staff-invites': InviteStaff,
  '12-backups': NoteBackups,
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
};
