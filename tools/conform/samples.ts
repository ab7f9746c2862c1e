/** A path of each endpoint that leads to a record of the store. */

import type { Operation } from './contract.ts';
import type { Kit } from './kit.ts';
import { Skip } from './outcome.ts';

/** Any day that a store can have sales of. */
export const everySale = '/sales?start_date=2000-01-01&end_date=2099-12-31';

/** Where to find the value of the path parameter. */
const sources: Record<string, (kit: Kit) => Promise<unknown>> = {
  '/products/{id}': (kit) => firstOf(kit, '/products', 'id'),
  '/customers/{id}': (kit) => firstOf(kit, '/customers', 'id'),
  '/customers/{id}/loyalty': (kit) => firstOf(kit, '/customers', 'id'),
  '/customers/{id}/recent_sales': (kit) => firstOf(kit, '/customers', 'id'),
  '/customers/lookup_by_code/{code}': (kit) => firstOf(kit, '/customers', 'customer_code'),
  '/customers/lookup_by_card/{card_number}': (kit) => firstOf(kit, '/customers?per_page=100', 'loyalty_card_number'),
  '/store_credits/customer/{customer_id}': (kit) => firstOf(kit, '/customers', 'id'),
  '/sales/{id}': (kit) => firstOf(kit, everySale, 'id'),
  '/purchase_orders/{id}': (kit) => firstOf(kit, '/purchase_orders', 'id'),
  '/gift_cards/lookup/{card_number}': (kit) => firstOf(kit, '/gift_cards/snapshot', 'card_number'),
  '/gift_cards/{id}': async (kit) => (await kit.data(`/gift_cards/lookup/${await firstOf(kit, '/gift_cards/snapshot', 'card_number')}`)).id,
  '/webhook_subscriptions/{id}': (kit) => firstOf(kit, '/webhook_subscriptions', 'id'),
};

/** Scopes that finding the sample takes beside the endpoint's own. */
export function scopesOfSample({ path, scope }: Operation): string[] {
  const own = scope === '' ? [] : [scope];
  return path.startsWith('/store_credits/customer') || path === '/loyalty_rewards/available' ? [...own, 'customers:read'] : own;
}

export async function sampleOf(kit: Kit, { path, pathParameters }: Operation): Promise<string> {
  if (path === '/loyalty_rewards/available') return `${path}?customer_id=${await firstOf(kit, '/customers', 'id')}`;
  if (pathParameters.length === 0) return path;
  return path.replace(/\{\w+\}/, encodeURIComponent(String(await sources[path]!(kit))));
}

async function firstOf(kit: Kit, list: string, field: string): Promise<unknown> {
  const data = await kit.data(list);
  const rows = (Array.isArray(data) ? data : data?.cards) as Record<string, unknown>[] | undefined;
  const found = rows?.find((row) => row[field] !== undefined && row[field] !== null);
  if (!found) throw new Skip(`the store has no record with ${field} in ${list.split('?')[0]}`);
  return found[field];
}
