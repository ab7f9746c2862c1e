/** A revoked key: a subscription that it creates concurrently receives nothing. */
import { defineEntity, p } from '@mikro-orm/core';
import { timeColumn } from '@store/db';

export const RevokedKey = defineEntity({
  name: 'RevokedKey',
  tableName: 'revoked_keys',
  properties: { keyId: p.bigint('number').primary().autoincrement(false), revokedAt: timeColumn() },
});
