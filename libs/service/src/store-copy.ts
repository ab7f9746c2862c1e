/** A service's own copy of what background work needs of a store, fed by the gateway's store.changed (D184). */
import { defineEntity, p } from '@mikro-orm/core';
import { type EntityManager, sql } from '@store/db';
import type { Message } from '@store/events';
import { type Caller, systemCaller } from '@store/rpc';

export const StoreCopy = defineEntity({
  name: 'StoreCopy',
  tableName: 'stores',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    timeZone: p.text(),
    features: p.array().columnType('text[]'),
    /** Version of the event that it is a copy of: an older event does not overwrite it. */
    version: p.bigint('number').defaultRaw('0'),
  },
});

/** For the first migration of a service that keeps the copy. */
export const storesTable = `
  create table stores (
    id bigint primary key,
    time_zone text not null,
    features text[] not null,
    version bigint not null default 0
  )`;

export function wantsStore(message: Message): boolean {
  return message.name === 'store.changed' && message.internal?.store !== undefined;
}

/** Keeps the newest copy of each store that the messages tell of, by version: a repeated event may arrive after a newer one. */
export async function consumeStores(em: EntityManager, schema: string, messages: Message[]): Promise<void> {
  const copies = messages.filter(wantsStore).map(copyOf);
  if (copies.length === 0) return;
  const last = new Map<number, Copy>();
  for (const copy of copies) if (copy.version >= (last.get(copy.id)?.version ?? 0)) last.set(copy.id, copy);
  await sql(
    em,
    `insert into ${schema}.stores as s (id, time_zone, features, version)
     select id, time_zone, array(select json_array_elements_text(features)), version
     from json_to_recordset($1::json) as x(id bigint, time_zone text, features json, version bigint)
     on conflict (id) do update set time_zone = excluded.time_zone, features = excluded.features, version = excluded.version
     where s.version <= excluded.version`,
    [JSON.stringify([...last.values()])],
  );
}

/** The caller of work without a request, from the copy of its store; `unknown` is assumed until its store.changed arrives. */
export async function storeCaller(
  em: EntityManager,
  schema: string,
  storeId: number,
  unknown: Parameters<typeof systemCaller>[1] = {},
): Promise<Caller> {
  const [store] = await sql<{ time_zone: string; features: string[] }>(
    em,
    `select time_zone, features from ${schema}.stores where id = $1`,
    [storeId],
  );
  return systemCaller(storeId, store ? { timeZone: store.time_zone, features: new Set(store.features) } : unknown);
}

interface Copy {
  id: number;
  time_zone: string;
  features: string[];
  version: number;
}

/** Throws at an invalid store, which moves the event to dead_letters: one bad time zone would stop the work of every store. */
function copyOf({ storeId, internal, version = 0 }: Message): Copy {
  const { timeZone, features } = internal!.store ?? {};
  if (typeof timeZone !== 'string' || !isTimeZone(timeZone)) throw new Error("the store's time zone is not known");
  if (!Array.isArray(features) || !features.every((feature) => typeof feature === 'string')) throw new Error('the store has no features');
  return { id: storeId, time_zone: timeZone, features, version };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
