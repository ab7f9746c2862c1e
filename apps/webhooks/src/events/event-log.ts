/** A store's event log: its last sequence, in a row that also serves as the store's lock. */
import { defineEntity, p } from '@mikro-orm/core';
import { type EntityManager, type Row, sql } from '@store/db';

export const EventLog = defineEntity({
  name: 'EventLog',
  tableName: 'stores',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    lastSequence: p.bigint('number').defaultRaw('0'),
  },
});

/** Locks the store's row until the commit, before any subscription, as the fan-out does. Text: Kysely cannot update by a locking select. */
export async function lockStore(em: EntityManager, storeId: number): Promise<Pick<Row<typeof EventLog>, 'last_sequence'>> {
  const [row] = await sql<Pick<Row<typeof EventLog>, 'last_sequence'>>(
    em,
    'insert into webhooks.stores (id) values ($1) on conflict (id) do update set id = excluded.id returning last_sequence',
    [storeId],
  );
  return row!;
}
