/** Webhooks of the load: what must have arrived, verified, when the queue is empty. */
import { setTimeout as wait } from 'node:timers/promises';
import { untilNothingLeft } from '@store/testbed/until';
import type pg from 'pg';
import { distinct, percentiles, subscribe } from '../bench/events-layout.ts';
import { isSigned, latencyMsOf, type Receiver } from '../kit/receiver.ts';

export interface DeliveryFigures {
  subscriptions: number;
  events: number;
  /** Deliveries that no receiver got. */
  missing: number;
  /** POSTs whose signature does not verify. */
  unverified: number;
  /** From created_at to the first byte. */
  p50Ms: number;
  p95Ms: number;
}

const eventName = 'inventory.adjusted';
const pollMs = 500;
/** Longer than the deadline of a change that k6 no longer waited for: it may be committed after all others were delivered. */
const restPolls = 12;

/** Subscribes that many paths of the receiver; their signing secrets by path. */
export async function subscribeAll(api: string, key: string, { url }: Receiver, count: number): Promise<Map<string, string>> {
  const secrets = new Map<string, string>();
  for (let n = 0; n < count; n++) secrets.set(`/burst-${n}`, (await subscribe(api, key, `${url}/burst-${n}`, [eventName])).secret);
  return secrets;
}

/** Waits until every event is published, turned into deliveries and delivered, for at most `withinMs` without progress. */
export async function settle(database: pg.Client, withinMs: number, log: (line: string) => void): Promise<void> {
  let left = 0;
  for (let atRest = 0; atRest < restPolls && left === 0; atRest++, await wait(pollMs)) {
    left = await untilNothingLeft(() => leftOver(database), withinMs);
  }
  if (left > 0) log(`${left} events or deliveries are still under way, and no fewer for ${withinMs / 1_000} s`);
}

async function leftOver(database: pg.Client): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select ((select count(*) from inventory.outbox) + (select count(*) from sales.outbox)
       + (select count(*) from webhooks.deliveries where state in ('pending', 'leased'))
       + (select count(*) from inventory.inventory_transactions) - (select count(*) from webhooks.events where name = $1))::int as n`,
    [eventName],
  );
  return rows[0]!.n;
}

export async function deliveryFigures(database: pg.Client, { hooks }: Receiver, secrets: Map<string, string>): Promise<DeliveryFigures> {
  // Committed changes: one that never reached webhooks is missing too.
  const { rows } = await database.query<{ n: number }>('select count(*)::int as n from inventory.inventory_transactions');
  const events = rows[0]!.n;
  const { p50, p95 } = percentiles(hooks.map(latencyMsOf));
  const unverified = hooks.filter((hook) => !isSigned(hook, secrets.get(hook.path) ?? '')).length;
  return { subscriptions: secrets.size, events, missing: events * secrets.size - distinct(hooks), unverified, p50Ms: p50, p95Ms: p95 };
}
