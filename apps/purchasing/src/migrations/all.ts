import { buildIndexes } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreatePurchasing } from './1-purchasing.ts';

/** By name, oldest first; a name never changes once it has run anywhere. */
export const migrations = {
  '1-purchasing': CreatePurchasing,
  '2-outbox-of-store': buildIndexes(indexOutbox('purchasing')),
};
