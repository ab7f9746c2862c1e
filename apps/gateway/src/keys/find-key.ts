import { timingSafeEqual } from 'node:crypto';
import type { Db } from '@store/db';
import { storeColumns, storeRecord } from '../stores/store.view.ts';
import { tables } from '../tables.ts';
import type { KeyRecord } from './key-record.ts';
import type { KeyHash } from './key-text.ts';

const keys = tables
  .selectFrom('api_keys as k')
  .innerJoin('staff_users as u', (on) => on.onRef('u.id', '=', 'k.created_by').onRef('u.store_id', '=', 'k.store_id'))
  .innerJoin('stores as s', 's.id', 'k.store_id')
  .select(['k.id as key_id', 'k.name as key_name', 'k.hash', 'k.scopes', 'k.rate_limit', 'k.test_mode', 'k.expires_at', 'k.revoked_at'])
  .select(['u.id as user_id', 'u.name as user_name'])
  .select(storeColumns);

type KeyRow = Awaited<ReturnType<(typeof keys)['executeTakeFirstOrThrow']>>;

/** The key under one of `candidates`, newest pepper first; one under an older pepper is moved, as its text is known only now. */
export async function findKey(app: { db: Db }, candidates: KeyHash[]): Promise<KeyRecord | undefined> {
  const [newest] = candidates;
  const row = await find(app, candidates);
  if (!row || !newest) return undefined;
  if (row.revoked_at || newest.hash.equals(row.hash)) return keyRecord(row);
  if (await moveToPepper(app, row, newest)) return keyRecord(row);
  // Revoked or moved by another process since it was read.
  const again = await find(app, candidates);
  return again && keyRecord(again);
}

/** Locks the row, so that a later revocation reads the hash that requests use. */
async function moveToPepper(app: { db: Db }, { key_id, store_id, hash }: KeyRow, newest: KeyHash): Promise<boolean> {
  const moved = tables
    .updateTable('api_keys')
    .set((set) => ({ hash: newest.hash, pepper_id: newest.pepperId, previous_hash: set.ref('hash') }))
    .where('store_id', '=', store_id)
    .where('id', '=', key_id)
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .returning('id');
  return (await app.db.read(moved)).length > 0;
}

async function find(app: { db: Db }, candidates: KeyHash[]): Promise<KeyRow | undefined> {
  const hashes = candidates.map(({ hash }) => hash);
  const rows = await app.db.read(keys.where('k.hash', 'in', hashes));
  return rows.find((row) => hashes.some((hash) => hash.length === row.hash.length && timingSafeEqual(hash, row.hash)));
}

function keyRecord(row: KeyRow): KeyRecord {
  return {
    keyId: row.key_id,
    name: row.key_name,
    scopes: row.scopes,
    rateLimit: row.rate_limit,
    expiresAtMs: row.expires_at?.getTime() ?? 0,
    testMode: row.test_mode,
    revoked: row.revoked_at !== null,
    createdBy: { id: row.user_id, name: row.user_name },
    store: storeRecord(row),
  };
}

export async function keyHashesOfStore(db: Db, storeId: number): Promise<string[]> {
  const stored = tables.selectFrom('api_keys').select(['hash', 'previous_hash']).where('store_id', '=', storeId);
  const rows = await db.read(stored.where('revoked_at', 'is', null));
  return rows.flatMap(hashesOf);
}

export function hashesOf({ hash, previous_hash: previous }: { hash: Uint8Array; previous_hash: Uint8Array | null }): string[] {
  return [hash, ...(previous ? [previous] : [])].map((bytes) => Buffer.from(bytes).toString('hex'));
}
