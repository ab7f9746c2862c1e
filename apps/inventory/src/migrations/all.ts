import { buildIndexes } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreateInventory } from './1-inventory.ts';
import { AddStaffVersion } from './2-staff-version.ts';
import { AddCountKey } from './3-count-key.ts';
import { AddMovements } from './4-movements.ts';

/** By name, oldest first; a name never changes once it has run anywhere. */
export const migrations = {
  '1-inventory': CreateInventory,
  '2-staff-version': AddStaffVersion,
  '3-count-key': AddCountKey,
  '4-movements': AddMovements,
  '5-outbox-of-store': buildIndexes(indexOutbox('inventory')),
};
