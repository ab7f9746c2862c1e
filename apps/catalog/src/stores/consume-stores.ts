/** The catalogue's own copy of what background work needs of a store, fed by the gateway (decision D184). */
import { type EntityManager, sql } from '@store/db';
import type { Message } from '@store/events';

export function wantsStore(message: Message): boolean {
  return message.name === 'store.changed' && message.internal?.store !== undefined;
}

/** Keeps the last word of each store; messages of one store come in order. */
export async function consumeStores(em: EntityManager, messages: Message[]): Promise<void> {
  const last = new Map(messages.map((message) => [message.storeId, message]));
  const rows = [...last.values()].map(copyOf);
  await sql(
    em,
    `insert into catalog.stores (id, time_zone, features)
     select id, time_zone, array(select json_array_elements_text(features)) from json_to_recordset($1::json) as x(id bigint, time_zone text, features json)
     on conflict (id) do update set time_zone = excluded.time_zone, features = excluded.features`,
    [JSON.stringify(rows)],
  );
}

/** Throws at what is no store, so that it ends in dead_letters: one bad time zone would stop the work of every store. */
function copyOf({ storeId, internal }: Message): { id: number; time_zone: string; features: string[] } {
  const { timeZone, features } = internal!.store ?? {};
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone)) throw new Error("the store's time zone is not known");
  if (!Array.isArray(features) || !features.every((feature) => typeof feature === 'string')) throw new Error('the store has no features');
  return { id: storeId, time_zone: timeZone, features };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
