/** The data of a key and its store that a request needs; plain JSON, so that Redis can store it. */
import type { StoreRecord } from '../stores/store-record.ts';

export interface KeyRecord {
  keyId: number;
  name: string;
  scopes: string[];
  rateLimit: number;
  /** Milliseconds since the epoch; 0: never. */
  expiresAtMs: number;
  testMode: boolean;
  revoked: boolean;
  createdBy: { id: number; name: string };
  store: StoreRecord;
}
