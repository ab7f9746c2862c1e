/** The gateway's migrations, oldest first. */
import { StoresKeysStaffAudit } from './1-stores-keys-staff-audit.ts';

export const migrations = { '1-stores-keys-staff-audit': StoresKeysStaffAudit };
