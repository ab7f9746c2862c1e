/** Waits until the system is idle after the last fault, and gathers the history of a run. */
import { type AppName, appNames, apps, topicOf } from '@store/contract';
import { standingOf } from '@store/events';
import { logNothing } from '@store/testbed/log';
import { untilNothingLeft } from '@store/testbed/until';
import type pg from 'pg';
import type { FleetWorld } from '../kit/fleet-world.ts';
import { livesOf } from './collect-keys.ts';
import { registerOf } from './collect-register.ts';
import { restOf } from './collect-rest.ts';
import type { Attempt, History, LedgerRow, Stock } from './history.ts';
import { journaledChanges, journaledEvents } from './journal.ts';
import { readKafka } from './kafka-log.ts';
import { arrivalsOf } from './receivers.ts';
import type { WatchedWorld } from './watched-world.ts';

const pollMs = 250;
const announceEveryMs = 3_000;

/** What is not settled when nothing has decreased for so long; normally nothing. A slow machine takes long, but the rest decreases. */
export async function unsettled(
  world: WatchedWorld,
  judge: pg.Client,
  { withinMs, log, signal }: { withinMs: number; log: (line: string) => void; signal?: AbortSignal },
): Promise<string[]> {
  let moving: string[] = [];
  let announcedAt = performance.now();
  const look = async () => {
    const { left, what } = await inMotion(world, judge);
    moving = what;
    if (performance.now() - announcedAt > announceEveryMs) {
      announcedAt = performance.now();
      log(`Still moving: ${moving.join('; ')}`);
    }
    return left;
  };
  await untilNothingLeft(look, withinMs, { everyMs: pollMs, signal });
  return moving.map((what) => `${what}, and no fewer for ${withinMs / 1_000} s`);
}

/** For each stage that an event has still before it: one that reaches the next stage is progress, however many wait there. */
const perStage = 1_000_000_000;

/** Rows, messages or deliveries along the path of an event: outboxes, Kafka's groups, receivers. `what`: for a person. */
async function inMotion(world: WatchedWorld, judge: pg.Client): Promise<{ left: number; what: string[] }> {
  const what: string[] = [];
  let left = 0;
  const add = (n: number, announcedAt: string) => {
    left += n;
    if (n > 0) what.push(announcedAt);
  };
  for (const schema of appNames) {
    const rows = await count(judge, `select count(*)::int as n from ${schema}.outbox`);
    add(rows, `${schema}.outbox holds ${rows} rows`);
    const deadLetters = await count(judge, `select count(*)::int as n from ${schema}.dead_letters`);
    add(deadLetters, `${schema}.dead_letters holds ${deadLetters} messages`);
  }
  // The sweep gives back what a request that died has taken.
  const intents = await count(judge, 'select count(*)::int as n from sales.store_credit_intents');
  add(intents, `${intents} intents of store credit are open`);
  if (left > 0) return { left: left + 2 * perStage, what };
  for (const group of appNames) {
    const behind = await lagOf(world.fleet, group);
    add(behind, `the group ${group} is ${behind} messages behind`);
  }
  if (left > 0) return { left: left + perStage, what };
  const due = await count(judge, `select count(*)::int as n from webhooks.deliveries where state in ('pending', 'leased')`);
  add(due, `${due} deliveries have not ended`);
  return { left, what };
}

/** Messages of its topics that the consumer group of an app has not handled yet. */
async function lagOf({ brokers, kafkaPrefix: prefix }: FleetWorld, group: AppName): Promise<number> {
  const options = { brokers: brokers.split(','), prefix, log: logNothing };
  return (await standingOf({ ...options, group, topics: apps[group].consumes.map(topicOf) })).behind;
}

async function count(judge: pg.Client, query: string): Promise<number> {
  const { rows } = await judge.query<{ n: number }>(query);
  return rows[0]!.n;
}

/** What the load knows of itself, and what did not settle. */
type Done = Pick<History, 'writes' | 'tillRequests' | 'lives' | 'unsettled'>;

export async function collect(world: WatchedWorld, judge: pg.Client, { lives, ...done }: Done): Promise<History> {
  const { brokers, kafkaPrefix } = world.fleet;
  const { carried, last } = await readKafka({ brokers, prefix: kafkaPrefix }, world.watchedSince);
  return {
    ...done,
    lives: world.passing ? await livesOf(judge, lives, world.passing) : [],
    changes: await journaledChanges(judge),
    emitted: await journaledEvents(judge),
    carried,
    products: await rowsOf(judge, 'select id::text as record, name from catalog.products where deleted_at is null'),
    ledger: await rowsOf<LedgerRow>(
      judge,
      `select id::int, product_id::int as product, (quantity_before * 1000)::int as before, (quantity_change * 1000)::int as change,
         (quantity_after * 1000)::int as after from inventory.stock_adjustments`,
    ),
    stock: await rowsOf<Stock>(
      judge,
      `select i.product_id::int as product, (i.quantity * 1000)::int as quantity, (p.stock * 1000)::int as copy
       from inventory.stock_items i left join catalog.products p on p.id = i.product_id`,
    ),
    audited: (
      await rowsOf<{ resource: string }>(
        judge,
        `select resource_type || ':' || resource_id as resource from gateway.audit_entries
         where resource_type in ('Product', 'StockAdjustment')`,
      )
    ).map(({ resource }) => resource),
    auditedRequests: (await rowsOf<{ id: string }>(judge, 'select request_id as id from gateway.audit_entries')).map(({ id }) => id),
    receivers: await receiversOf(world, judge),
    register: await registerOf(judge),
    rest: await restOf(world, judge, last),
  };
}

export async function rowsOf<T extends pg.QueryResultRow>(judge: pg.Client, query: string, values: unknown[] = []): Promise<T[]> {
  return (await judge.query<T>(query, values)).rows;
}

async function receiversOf({ subscribed, fleet }: WatchedWorld, judge: pg.Client): Promise<History['receivers']> {
  const receivers: History['receivers'] = [];
  for (const { id, secret, posts, script } of subscribed) {
    const attempts = await rowsOf<Attempt>(
      judge,
      `select e.event_id::text as "eventId", a.number, a.outcome from webhooks.attempts a
       join webhooks.deliveries d on d.store_id = a.store_id and d.id = a.delivery_id
       join webhooks.events e on e.store_id = d.store_id and e.sequence = d.sequence
       where a.subscription_id = $1 order by a.id`,
      [id],
    );
    const [row] = await rowsOf<{ active: boolean }>(judge, 'select active from webhooks.subscriptions where id = $1', [id]);
    const { name, accepts, events } = script;
    receivers.push({
      name,
      store: fleet.storeId,
      accepts,
      events,
      arrivals: arrivalsOf(posts, secret),
      attempts,
      active: row?.active ?? false,
    });
  }
  return receivers;
}
