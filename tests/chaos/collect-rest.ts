/** What the services hold, and what GET shows, at the end of a run. */
import type { Message } from '@store/events';
import type pg from 'pg';
import { type FleetWorld, newKey } from '../kit/fleet-world.ts';
import { send, succeed } from '../kit/http.ts';
import { rowsOf } from './collect.ts';
import type { AtRest, Costs } from './history.ts';
import type { WatchedWorld } from './watched-world.ts';

const tenders = `
  select sale_id::int as sale, (amount * 100)::int as amount from customers.store_credit_tenders where not given_back`;

const costs = `
  select p.id::int as product, (p.average_cost * 100)::int as average, (p.cost * 100)::int as cost,
    jsonb_agg(jsonb_build_object('id', l.id, 'quantity', (l.quantity_received * 1000)::int,
      'unit', (coalesce(l.unit_cost_invoiced, l.unit_price) * 100)::int, 'receivedAt', l.received_at)) as lines
  from catalog.products p join purchasing.purchase_order_lines l on l.product_id = p.id
  where l.unit_price is not null group by p.store_id, p.id`;

const log = `
  select store_id::int as store, sequence::int, event_id::text as "eventId" from webhooks.events where created_at >= $1`;

/** Each row of a copy that its source does not have so, or that it lacks: [what is copied, source, copy]. */
const copies: [what: string, source: string, copy: string][] = [
  [
    'customers in sales',
    'select store_id, id, name, customer_code, email, phone, archived_at is not null from customers.customers',
    'select store_id, id, name, customer_code, email, phone, archived from sales.customers',
  ],
  ...['catalog', 'customers', 'inventory', 'sales'].map((app): [string, string, string] => [
    `stores in ${app}`,
    'select id, time_zone from gateway.stores',
    `select id, time_zone from ${app}.stores`,
  ]),
];

/** GET of a record by the topic of its events. */
const routes: Record<string, string> = { 'catalog.events': 'products', 'customers.events': 'customers', 'sales.events': 'sales' };
/** Of each kind; more would take long. */
const comparedMax = 150;
const atOnce = 10;

export async function restOf(world: WatchedWorld, judge: pg.Client, last: Message[]): Promise<AtRest> {
  const { fleet, load, watchedSince, tokens, poller } = world;
  const api = load.api[0]!;
  return {
    tenders: await rowsOf(judge, tenders),
    drawers: (await Promise.all(tokens.map((token) => drawersOf(api, token)))).flat(),
    costs: await rowsOf<Costs>(judge, costs),
    copies: await differing(judge),
    log: await rowsOf(judge, log, [watchedSince]),
    polled: (await poller?.stop()) ?? { store: fleet.storeId, eventIds: [], latest: 0 },
    records: await shown(api, fleet, last),
  };
}

/** Of all stores: rows of copies that differ from their sources. */
export async function differing(judge: pg.Client): Promise<string[]> {
  const found: string[] = [];
  for (const [what, source, copy] of copies) {
    const rows = await rowsOf<{ row: string }>(
      judge,
      `select 'only in the source: ' || s::text as row from (${source} except ${copy}) s
       union all select 'only in the copy: ' || c::text from (${copy} except ${source}) c`,
    );
    found.push(...rows.map(({ row }) => `${what}, ${row}`));
  }
  return found;
}

async function drawersOf(api: string, token: string): Promise<AtRest['drawers']> {
  const drawers: AtRest['drawers'] = [];
  for (let page = 1; ; page++) {
    const sessions: Session[] = (await succeed('GET', `${api}/cash_drawer_sessions?per_page=100&page=${page}`, { token }))
      .cash_drawer_sessions;
    for (const { id, opening_float, expected, closed_at } of sessions)
      drawers.push({
        id,
        float: Math.round(Number(opening_float) * 100),
        expected: Math.round(Number(expected) * 100),
        closedAtMs: closed_at === null ? null : Date.parse(closed_at),
      });
    if (sessions.length < 100) return drawers;
  }
}

interface Session {
  id: number;
  opening_float: string;
  expected: string;
  closed_at: string | null;
}

async function shown(api: string, { token, storeId }: FleetWorld, last: Message[]): Promise<AtRest['records']> {
  const found: AtRest['records'] = [];
  const { key } = await newKey(api, token, { scopes: Object.values(routes).map((path) => `${path}:read`) });
  for (const [topic, path] of Object.entries(routes)) {
    const own = last.filter((message) => message.topic === topic && message.storeId === storeId);
    const compared = own.filter((_, n) => n % Math.ceil(own.length / comparedMax) === 0);
    for (let start = 0; start < compared.length; start += atOnce)
      found.push(...(await Promise.all(compared.slice(start, start + atOnce).map(one))));
    async function one(message: Message): Promise<AtRest['records'][number]> {
      const { resource_id, data } = JSON.parse(message.public!.toString()) as { resource_id: number; data: unknown };
      const { body } = await send('GET', `${api}/${path}/${resource_id}`, { key });
      return { record: `${path}/${resource_id}`, inEvent: JSON.stringify(data), shows: JSON.stringify(body.data) };
    }
  }
  return found;
}
