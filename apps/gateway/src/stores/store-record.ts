/** The data of its store that a request needs; plain JSON. */
import type { Tax } from '@store/rpc';

export interface StoreRecord {
  storeId: number;
  name: string;
  posSubscription: 'active' | 'inactive';
  onboarding: 'done' | 'pending';
  features: string[];
  timeZone: string;
  /** Code of ISO 3166; absent where it is not known, and in records that a gateway of an older version cached. */
  country?: string;
  currency: string;
  locale: string;
  tax: Tax;
}
