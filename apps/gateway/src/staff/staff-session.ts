/** A login session of a member of staff; only hashes of its tokens are stored. */
import { defineEntity, p } from '@mikro-orm/core';
import { sameStore, storeKeyColumns, timeColumn } from '@store/db';
import { StaffUser } from './staff-user.ts';

export const StaffSession = defineEntity({
  name: 'StaffSession',
  tableName: 'staff_sessions',
  properties: {
    ...storeKeyColumns(),
    userId: p.bigint('number'),
    user: () => sameStore(StaffUser, { table: 'staff_sessions', column: 'user_id' }),
    tokenHash: p.blob(),
    csrfHash: p.blob(),
    userAgent: p.text().default(''),
    ip: p.text().default(''),
    createdAt: timeColumn(),
    confirmedAt: timeColumn().nullable(),
    /** Written at most once a minute. */
    lastSeenAt: timeColumn(),
    expiresAt: timeColumn(),
  },
  uniques: [{ name: 'staff_sessions_token_hash_key', properties: ['tokenHash'] }],
  indexes: [{ name: 'staff_sessions_of_user', properties: ['storeId', 'userId'] }],
});
