/** The tables that every schema needs to emit and consume events, beside `eventTables`, which creates them. */
import { defineEntity, p } from '@mikro-orm/core';
import { idColumn, storeIdColumn, timeColumn } from '@store/db';

/** Written in the transaction of a change; the relay publishes and deletes it. */
export const OutboxRow = defineEntity({
  name: 'OutboxRow',
  tableName: 'outbox',
  properties: {
    id: idColumn(),
    eventId: p.uuid(),
    storeId: storeIdColumn(),
    name: p.text(),
    aggregate: p.text(),
    /** The finished webhook body; null: not a public event (D182). */
    public: p.blob().nullable(),
    internal: p.json().nullable(),
    actor: p.json(),
    requestId: p.text(),
    createdAt: timeColumn(),
  },
  indexes: [{ name: 'outbox_store', properties: ['storeId', 'id'] }],
});

/** Events that were handled: a repeated message changes nothing. */
const InboxRow = defineEntity({
  name: 'InboxRow',
  tableName: 'inbox',
  properties: {
    eventId: p.uuid().primary(),
    receivedAt: timeColumn().defaultRaw('clock_timestamp()'),
    storeId: storeIdColumn().defaultRaw('0'),
  },
  indexes: [{ name: 'inbox_received_at', properties: ['receivedAt'] }],
});

/** Messages that could not be handled; `redrive` sends them again. */
const DeadLetter = defineEntity({
  name: 'DeadLetter',
  tableName: 'dead_letters',
  properties: {
    id: idColumn(),
    eventId: p.uuid(),
    topic: p.text(),
    message: p.json(),
    error: p.text(),
    createdAt: timeColumn().defaultRaw('clock_timestamp()'),
    redrivenAt: timeColumn().nullable(),
  },
  uniques: [{ name: 'dead_letters_event_id_key', properties: ['eventId'] }],
});

export const eventEntities = [OutboxRow, InboxRow, DeadLetter];
