import { defineEntity, p } from '@mikro-orm/core';
import { newestFirstIndex, storeKeyColumns, timeColumn } from '@store/db';

const newestFirst = newestFirstIndex('gateway.audit_entries');

export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entries',
  properties: {
    ...storeKeyColumns(),
    createdAt: timeColumn(),
    actorType: p.text(),
    keyId: p.bigint('number').nullable(),
    keyName: p.text().nullable(),
    userId: p.bigint('number').nullable(),
    userName: p.text().nullable(),
    action: p.text(),
    resourceType: p.text(),
    resourceId: p.bigint('number'),
    before: p.json<object>().nullable(),
    after: p.json<object>().nullable(),
    requestId: p.text(),
    /** Empty: unknown. */
    ip: p.text(),
    eventIds: p.array().columnType('text[]'),
    /** Null in entries from before entries had an event id. */
    eventId: p.uuid().nullable(),
  },
  uniques: [{ name: 'audit_entries_event', properties: ['eventId'] }],
  indexes: [
    { name: 'audit_entries_request', properties: ['storeId', 'requestId'] },
    newestFirst('audit_entries_store', 'store_id'),
    newestFirst('audit_entries_key', 'store_id, key_id', ' where key_id is not null'),
    newestFirst('audit_entries_resource', 'store_id, resource_type, resource_id'),
  ],
});
