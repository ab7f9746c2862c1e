import { buildIndexes } from '@store/db';
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
};
