/** From a key's hash to what a request needs to know, in one prepared statement. */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '@store/db';
import { type StoreColumns, storeColumns, storeRecord } from '../stores/store.view.ts';
import type { KeyRecord } from './key-record.ts';
import type { KeyHash } from './key-text.ts';

interface Row extends StoreColumns {
  key_id: string;
  key_name: string;
  hash: Buffer;
  scopes: string[];
  rate_limit: number;
  expires_at_ms: string | null;
  test_mode: boolean;
  revoked: boolean;
  user_id: string;
  user_name: string;
}

const query = `
  select k.id::text as key_id, k.name as key_name, k.hash, k.scopes, k.rate_limit, k.test_mode,
         (extract(epoch from k.expires_at) * 1000)::bigint::text as expires_at_ms, k.revoked_at is not null as revoked, u.id::text as user_id, u.name as user_name, ${storeColumns}
  from gateway.api_keys k
  join gateway.staff_users u on u.id = k.created_by and u.store_id = k.store_id
  join gateway.stores s on s.id = k.store_id
  where k.hash = any($1)`;

/** Whoever moves a hash holds the row; a revocation then sees the hash that requests come with. */
const moveToNewestPepper = `
  update gateway.api_keys set hash = $2, pepper_id = $3, previous_hash = hash
  where store_id = $5 and id = $1 and hash = $4 and revoked_at is null returning id`;

/**
 * Finds the key stored under one of `candidates` (newest pepper first). A key found under an older
 * pepper is stored under the newest from then on: its text is at hand only now.
 */
export async function findKey(app: { db: Db }, candidates: KeyHash[]): Promise<KeyRecord | undefined> {
  const [newest] = candidates;
  const row = await find(app, candidates);
  if (!row || !newest) return undefined;
  if (row.revoked || row.hash.equals(newest.hash)) return keyRecord(row);
  const moved = await app.db.read('move-key', moveToNewestPepper, [row.key_id, newest.hash, newest.pepperId, row.hash, row.store_id]);
  if (moved.length > 0) return keyRecord(row);
  // Revoked or moved by another process in between: what is stored now is the answer.
  const again = await find(app, candidates);
  return again && keyRecord(again);
}

async function find(app: { db: Db }, candidates: KeyHash[]): Promise<Row | undefined> {
  const rows = await app.db.read<Row>('find-key', query, [candidates.map(({ hash }) => hash)]);
  return rows.find((row) => candidates.some(({ hash }) => hash.length === row.hash.length && timingSafeEqual(hash, row.hash)));
}

function keyRecord(row: Row): KeyRecord {
  return {
    keyId: Number(row.key_id),
    name: row.key_name,
    scopes: row.scopes,
    rateLimit: row.rate_limit,
    expiresAtMs: Number(row.expires_at_ms ?? 0),
    testMode: row.test_mode,
    revoked: row.revoked,
    createdBy: { id: Number(row.user_id), name: row.user_name },
    store: storeRecord(row),
  };
}

/** The hashes (hex) by which the key gate may remember keys of this store. */
export async function keyHashesOfStore(db: Db, storeId: number): Promise<string[]> {
  const rows = await db.read<{ hash: string }>(
    'key-hashes-of-store',
    `select encode(h, 'hex') as hash from gateway.api_keys k, unnest(array[k.hash, k.previous_hash]) h
     where k.store_id = $1 and k.revoked_at is null and h is not null`,
    [storeId],
  );
  return rows.map((row) => row.hash);
}
