/** The events that a key may read (D130): types whose read scope it holds, and types that one of its subscriptions lists, since it does. */
import { eventKinds } from '@store/contract';

const kinds = eventKinds();

export const readableEvents = (scopes: ReadonlySet<string>) => kinds.filter(({ scope }) => scopes.has(scope)).map(({ name }) => name);

/** Event types that the key's subscriptions list, with their first sequence; `store` and `key` are placeholders. */
export function listedEvents(store: string, key: string): string {
  return `select x.name, min((s.events_after ->> x.name)::bigint) as after
     from webhooks.subscriptions s cross join lateral unnest(s.events) as x(name)
     where s.store_id = ${store} and s.key_id = ${key} and s.deleted_at is null group by x.name`;
}
