import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { idColumn, sameStore, storeKeyColumn, timeColumn } from '@store/db';
import { StaffUser } from '../staff/staff-user.ts';
import { ofStore } from '../stores/of-store.ts';

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    storeId: () => ofStore('api_keys'),
    id: idColumn(),
    name: p.text(),
    hash: p.blob(),
    /** Id of the pepper under which `hash` was made. */
    pepperId: p.integer(),
    /** Its hash under the previous pepper; a gateway may still remember the key by it. */
    previousHash: p.blob().nullable(),
    last4: p.text(),
    scopes: p.array().columnType('text[]'),
    scopesUsed: p.array().columnType('text[]').defaultRaw(`'{}'::text[]`),
    rateLimit: p.integer(),
    expiresAt: timeColumn().nullable(),
    testMode: p.boolean(),
    createdBy: p.bigint('number'),
    creator: () => sameStore(StaffUser, { table: 'api_keys', column: 'created_by' }),
    createdAt: timeColumn(),
    lastUsedAt: timeColumn().nullable(),
    revokedAt: timeColumn().nullable(),
  },
  uniques: [{ name: 'api_keys_hash_key', properties: ['hash'] }],
  // As SQL text: the schema comparer takes the `id` in `store_id` for the last column, and misses the descending one.
  indexes: [{ name: 'api_keys_store', expression: 'create index "api_keys_store" on "gateway"."api_keys" (store_id, id desc)' }],
  checks: [{ name: 'api_keys_rate_limit_check', expression: '((rate_limit >= 1) AND (rate_limit <= 1000))' }],
});

export type ApiKey = InferEntity<typeof ApiKey>;

/** Requests of a key by minute. Those over its limit, and those after it was revoked or expired, are counted here alone (D259). */
export const KeyMinute = defineEntity({
  name: 'KeyMinute',
  tableName: 'key_usage',
  properties: {
    storeId: storeKeyColumn(),
    keyId: p.bigint('number').primary(),
    minute: timeColumn().primary(),
    /** Without the refused ones below. */
    requests: p.bigint('number'),
    rateLimited: p.bigint('number').defaultRaw('0'),
    unauthorized: p.bigint('number').defaultRaw('0'),
  },
  indexes: [{ name: 'key_usage_minute', properties: ['minute'] }],
});

/** A mark that only one pepper can produce. */
export const PepperMark = defineEntity({
  name: 'PepperMark',
  tableName: 'pepper_marks',
  properties: { pepperId: p.integer().primary().autoincrement(false), mark: p.blob() },
});
