/** An answered request, which staff can trace by its id for 30 days (D206). */
import { defineEntity, p } from '@mikro-orm/core';
import { storeKeyColumns, timeColumn } from '@store/db';

export const HandledRequest = defineEntity({
  name: 'HandledRequest',
  tableName: 'requests',
  properties: {
    ...storeKeyColumns(),
    /** The client's own id if it sent one, so it may occur several times. */
    requestId: p.text(),
    method: p.text(),
    /** Null: no such endpoint. */
    route: p.text().nullable(),
    status: p.integer(),
    errorCode: p.text().nullable(),
    keyId: p.bigint('number').nullable(),
    userId: p.bigint('number').nullable(),
    durationMs: p.integer(),
    createdAt: timeColumn(),
  },
  indexes: [
    { name: 'requests_request', properties: ['storeId', 'requestId'] },
    { name: 'requests_created_at', properties: ['createdAt'] },
    { name: 'requests_of_store', properties: ['storeId', 'createdAt'] },
  ],
});
