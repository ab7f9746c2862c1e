/** Keeps the copy of who works for a store. Text: one statement per batch, whatever its size. */
import { type EntityManager, type Row, sql } from '@store/db';
import type { Message } from '@store/events';
import type { StaffUser } from './staff-user.ts';

/** staff_user.created and staff_user.updated, where they have a name, and what is sent again. */
export function wantsStaff(message: Message): boolean {
  return message.name.startsWith('staff_user.') && staffOf(message) !== undefined;
}

/** Keeps the last name of each, by version: an event that is sent again may come after a newer one. */
export async function consumeStaff(em: EntityManager, messages: Message[]): Promise<void> {
  const last = new Map<string, Row<typeof StaffUser>>();
  for (const message of messages) {
    const { storeId, version = 0 } = message;
    const staff = staffOf(message)!;
    const key = `${storeId}:${staff.id}`;
    if (version >= (last.get(key)?.version ?? 0)) last.set(key, { store_id: storeId, ...staff, version });
  }
  await sql(
    em,
    `insert into inventory.staff_users as s (store_id, id, name, version)
     select store_id, id, name, version
     from json_to_recordset($1::json) as x(store_id bigint, id bigint, name text, version bigint) order by store_id, id
     on conflict (store_id, id) do update set name = excluded.name, version = excluded.version where s.version <= excluded.version`,
    [JSON.stringify([...last.values()])],
  );
}

/** Of a change what was audited after it, which for an update are only the changed fields. */
function staffOf({ internal }: Message): { id: number; name: string } | undefined {
  if (internal?.staff) return internal.staff;
  const after = internal?.audit?.after;
  return after && 'name' in after && typeof after.name === 'string' ? { id: internal.audit!.resource_id, name: after.name } : undefined;
}
