import { buildIndexes } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreatePurchasing } from './1-purchasing.ts';
import { RefineCosts } from './3-finer-costs.ts';

/** By name, oldest first; a name never changes once it has run anywhere. */
export const migrations = {
  '1-purchasing': CreatePurchasing,
  '2-outbox-of-store': buildIndexes(indexOutbox('purchasing')),
  '3-finer-costs': RefineCosts,
};
