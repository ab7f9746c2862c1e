/** The receivers of the storm: what must have arrived, verified, when the queue is empty. */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { BenchReceiver } from '../bench/webhooks-receiver.ts';

export interface StormFigures {
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

export async function subscribe(api: string, key: string, receiver: BenchReceiver, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const path = `/storm-${n}`;
    const response = await fetch(`${api}/webhook_subscriptions`, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ webhook_subscription: { url: `${receiver.url}${path}`, events: [eventName] } }),
    });
    if (response.status !== 201) throw new Error(`the subscription was refused: ${response.status} ${await response.text()}`);
    const { data } = (await response.json()) as { data: { secret: string } };
    receiver.secrets.set(path, data.secret);
  }
}

/** Waits until every event is published, turned into deliveries and delivered, for at most `withinMs` without progress. */
export async function settle(database: pg.Client, withinMs: number, log: (line: string) => void): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let progressAt = performance.now();
  let atRest = 0;
  for (;;) {
    const left = await leftOver(database);
    atRest = left === 0 ? atRest + 1 : 0;
    if (atRest === restPolls) return;
    if (left < least || left === 0) {
      least = left;
      progressAt = performance.now();
    }
    if (performance.now() - progressAt > withinMs) {
      log(`${left} events or deliveries are still under way, and no fewer for ${withinMs / 1_000} s`);
      return;
    }
    await wait(pollMs);
  }
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

export async function stormFigures(database: pg.Client, { arrivals, secrets, unsigned }: BenchReceiver): Promise<StormFigures> {
  // Committed changes: one that never reached webhooks is missing too.
  const { rows } = await database.query<{ n: number }>('select count(*)::int as n from inventory.inventory_transactions');
  const events = rows[0]!.n;
  const arrived = new Set(arrivals.map(({ path, id }) => `${path} ${id}`)).size;
  const sorted = arrivals.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const missing = events * secrets.size - arrived;
  return { subscriptions: secrets.size, events, missing, unverified: unsigned, p50Ms: at(0.5), p95Ms: at(0.95) };
}
