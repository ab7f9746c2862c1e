/** A store's event log: its last sequence, and the row that whoever counts locks first. */
import { defineEntity, p } from '@mikro-orm/core';
import { type EntityManager, type Row, sqlOne } from '@store/db';

export const EventLog = defineEntity({
  name: 'EventLog',
  tableName: 'stores',
  properties: {
    /** The store's own id. */
    id: p.bigint('number').primary().autoincrement(false),
    lastSequence: p.bigint('number').defaultRaw('0'),
  },
});

/**
 * Locks the store's row until the commit, and makes it where it is missing: whoever counts subscriptions or revokes keys
 * goes one by one. Locked before subscriptions, as by the fan-out. Text, as Kysely cannot update by a column it locks.
 */
export function lockStore(em: EntityManager, storeId: number): Promise<Pick<Row<typeof EventLog>, 'last_sequence'>> {
  return sqlOne(
    em,
    'insert into webhooks.stores (id) values ($1) on conflict (id) do update set id = excluded.id returning last_sequence',
    [storeId],
  );
}
