/** What a request needs to know of its key and store; plain JSON, so that it can live in Redis. */
import type { StoreRecord } from '../stores/store-record.ts';

export interface KeyRecord {
  keyId: number;
  name: string;
  scopes: string[];
  /** Requests per minute set on the key. */
  rateLimit: number;
  /** Milliseconds since the epoch; 0: never. */
  expiresAtMs: number;
  testMode: boolean;
  revoked: boolean;
  createdBy: { id: number; name: string };
  store: StoreRecord;
}
