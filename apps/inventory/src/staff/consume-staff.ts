/** Keeps the copy of who works for a store. Text: one statement per batch, whatever its size. */
import { type EntityManager, sql } from '@store/db';
import type { Message } from '@store/events';
import { newestOf } from '@store/service';

/** staff_user.created and staff_user.updated, where they have a name, and what is sent again. */
export function wantsStaff(message: Message): boolean {
  return message.name.startsWith('staff_user.') && staffOf(message) !== undefined;
}

/** Keeps the last name of each. */
export async function consumeStaff(em: EntityManager, messages: Message[]): Promise<void> {
  const names = messages.map((message) => ({ store_id: message.storeId, ...staffOf(message)!, version: message.version ?? 0 }));
  await sql(
    em,
    `insert into inventory.staff_users as s (store_id, id, name, version)
     select store_id, id, name, version
     from json_to_recordset($1::json) as x(store_id bigint, id bigint, name text, version bigint) order by store_id, id
     on conflict (store_id, id) do update set name = excluded.name, version = excluded.version where s.version <= excluded.version`,
    [JSON.stringify(newestOf(names))],
  );
}

/** Of a change what was audited after it, which for an update are only the changed fields. */
function staffOf({ internal }: Message): { id: number; name: string } | undefined {
  if (internal?.staff) return internal.staff;
  const after = internal?.audit?.after;
  return after && 'name' in after && typeof after.name === 'string' ? { id: internal.audit!.resource_id, name: after.name } : undefined;
}
