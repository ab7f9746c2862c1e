/** The catalogue's own copy of what background work needs of a store, fed by the gateway (decision D184). */
import { type EntityManager, sql } from '@store/db';
import type { Message } from '@store/events';

export function wantsStore(message: Message): boolean {
  return message.name === 'store.changed' && message.internal?.store !== undefined;
}

/** Keeps the last word of each store; messages of one store come in order. */
export async function consumeStores(em: EntityManager, messages: Message[]): Promise<void> {
  const last = new Map(messages.map((message) => [message.storeId, message]));
  const rows = [...last.values()].map(({ storeId, internal }) => ({
    id: storeId,
    time_zone: internal!.store!.timeZone,
    features: internal!.store!.features,
  }));
  await sql(
    em,
    `insert into catalog.stores (id, time_zone, features)
     select id, time_zone, array(select json_array_elements_text(features)) from json_to_recordset($1::json) as x(id bigint, time_zone text, features json)
     on conflict (id) do update set time_zone = excluded.time_zone, features = excluded.features`,
    [JSON.stringify(rows)],
  );
}
