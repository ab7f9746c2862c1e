/** A path of each endpoint that leads to a record of the store. */
import type { Operation } from './contract.ts';
import { Skip } from './rule.ts';
import type { Site } from './site.ts';

/** Any day that a store can have sales of. */
export const everySale = '/sales?start_date=2000-01-01&end_date=2099-12-31';

/** Where to find the value of the path parameter, unless it is the id of a row of the list that the path begins with. */
const sources: Record<string, (site: Site) => Promise<unknown>> = {
  '/customers/lookup_by_code/{code}': (site) => firstOf(site, '/customers', 'customer_code'),
  '/customers/lookup_by_card/{card_number}': (site) => firstOf(site, '/customers?per_page=100', 'loyalty_card_number'),
  '/store_credits/customer/{customer_id}': (site) => firstOf(site, '/customers', 'id'),
  '/sales/{id}': (site) => firstOf(site, everySale, 'id'),
  '/sales/{id}/payments': (site) => firstOf(site, everySale, 'id'),
  '/gift_cards/lookup/{card_number}': (site) => firstOf(site, '/gift_cards/snapshot', 'card_number'),
  '/gift_cards/{id}': cardId,
  '/gift_cards/{id}/transactions': cardId,
};

/** The snapshot has no ids. */
async function cardId(site: Site): Promise<unknown> {
  return (await site.get(`/gift_cards/lookup/${await firstOf(site, '/gift_cards/snapshot', 'card_number')}`)).body.data.id;
}

/** Scopes that finding the sample takes beside the endpoint's own. */
export function scopesOfSample({ path, scope }: Operation): string[] {
  const own = scope === '' ? [] : [scope];
  return path.startsWith('/store_credits/customer') || path.startsWith('/customers/{id}/') || path === '/loyalty_rewards/available'
    ? [...own, 'customers:read']
    : own;
}

export async function sampleOf(site: Site, { path, pathParameters }: Operation): Promise<string> {
  if (path === '/loyalty_rewards/available') return `${path}?customer_id=${await firstOf(site, '/customers', 'id')}`;
  // A day that has begun in every time zone.
  if (path === '/reports/day') return `${path}?date=2026-01-01`;
  if (pathParameters.length === 0) return path;
  const value = await (sources[path]?.(site) ?? firstOf(site, `/${path.split('/')[1]}`, 'id'));
  return path.replace(/\{\w+\}/, encodeURIComponent(String(value)));
}

export async function firstOf(site: Site, list: string, field: string): Promise<unknown> {
  const { data } = (await site.get(list)).body;
  const rows = (Array.isArray(data) ? data : data?.cards) as Record<string, unknown>[] | undefined;
  const found = rows?.find((row) => row[field] !== undefined && row[field] !== null);
  if (!found) throw new Skip(`the store has no record with ${field} in ${list.split('?')[0]}`);
  return found[field];
}
