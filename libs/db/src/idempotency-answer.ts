import { defineEntity, p } from '@mikro-orm/core';
import { storeIdColumn, timeColumn } from './columns.ts';

/** A stored answer (D185); every schema that takes writes has the table. */
export const IdempotencyAnswer = defineEntity({
  name: 'IdempotencyAnswer',
  tableName: 'idempotency',
  properties: {
    storeId: storeIdColumn().primary(),
    /** Owner of the key, such as key:12 or user:3. */
    actor: p.text().primary(),
    key: p.text().primary(),
    /** Digest of method, path and body, keyed by a secret of the gateway. */
    hash: p.blob(),
    status: p.integer().nullable(),
    answer: p.blob().nullable(),
    createdAt: timeColumn(),
  },
});
