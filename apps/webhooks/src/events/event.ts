/** An event of a store's log. */
import { defineEntity, p } from '@mikro-orm/core';
import { storeIdColumn, timeColumn } from '@store/db';

export const LoggedEvent = defineEntity({
  name: 'LoggedEvent',
  tableName: 'events',
  properties: {
    storeId: storeIdColumn().primary(),
    sequence: p.bigint('number').primary().autoincrement(false),
    eventId: p.uuid(),
    name: p.text(),
    record: p.text(),
    /** The bytes that are signed and sent; never parsed and rewritten. */
    body: p.blob(),
    createdAt: timeColumn(),
    /** Id of the request that caused it; null: an event of an earlier release. */
    requestId: p.text().nullable(),
  },
  uniques: [{ name: 'events_once', properties: ['storeId', 'eventId'] }],
  indexes: [
    { name: 'events_created_at', properties: ['createdAt'] },
    { name: 'events_request', properties: ['storeId', 'requestId'], where: 'request_id is not null' },
  ],
});
