/** The events that a key may read (D130): types whose read scope it holds, and types that one of its subscriptions lists, since it does. */
import { type EventName, eventNames } from './event-names.ts';

const readScopes: Record<EventName, string> = {
  'sale.completed': 'sales:read',
  'sale.voided': 'sales:read',
  'product.created': 'products:read',
  'product.updated': 'products:read',
  'product.deleted': 'products:read',
  'customer.created': 'customers:read',
  'customer.updated': 'customers:read',
  'inventory.adjusted': 'inventory:read',
  'purchase_order.received': 'purchasing:read',
};

export function readableEvents(scopes: ReadonlySet<string>): EventName[] {
  return eventNames.filter((name) => scopes.has(readScopes[name]));
}

/** Event types that the key's subscriptions list, with their first sequence; `store` and `key` are placeholders. */
export function listedEvents(store: string, key: string): string {
  return `select x.name, min((s.events_after ->> x.name)::bigint) as after
     from webhooks.subscriptions s cross join lateral unnest(s.events) as x(name)
     where s.store_id = ${store} and s.key_id = ${key} and s.deleted_at is null group by x.name`;
}
