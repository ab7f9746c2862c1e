/**
 * `npm run bench -- --only stores --stores 100000`: the same requests, events and deliveries in an installation of 10 stores,
 * and in the same one after many more were added. What grows with the number of stores shows in the ratios.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parsePeppers } from '@store/gateway/key-text';
import type pg from 'pg';
import { createClient } from 'redis';
import { dataDir } from '../../tools/local/data-dir.ts';
import { ask } from './ask.ts';
import { cpuMs, usedMs } from './cpu.ts';
import { openLayout, openNotes, percentiles } from './events-layout.ts';
import { load, useEachKey, wireRequest } from './load.ts';
import { addStores, type SampleStore } from './stores-installation.ts';
import { type BenchReceiver, hangingPath, openBenchReceiver } from './webhooks-receiver.ts';

export interface StoresBench {
  stores: number;
  /** Products of each store. */
  products: number;
  seconds: number;
  rounds: number;
  say(line: string): void;
  /** What must be closed afterwards, last first. */
  stops: (() => Promise<void>)[];
}

interface World {
  port: number;
  api: string;
  database: pg.Client;
  processes: Record<string, number>;
  receiver: BenchReceiver;
}

interface Figure {
  p50Ms: number;
  cpuMs?: number;
}

const few = 10;
const connections = 4;
const subscribers = 5;
const eventsPerSubscriber = 40;
const backlogRows = 10_000;
/** Part of the requests that a busy machine may answer at their deadline. */
const failedMax = 0.02;
/** Without any progress; a busy machine may take long for all. */
const stuckAfterMs = 120_000;

export async function benchStores({ stores, products, seconds, rounds, say, stops }: StoresBench): Promise<Record<string, unknown>> {
  const receiver = await openBenchReceiver(path.join(dataDir(), 'bench-receiver-ca.pem'));
  stops.push(() => receiver.close());
  const { env, fleet, store, ...layout } = await openLayout({ name: 'stores-bench', products, env: receiver.env, say, stops });
  const world: World = { ...layout, port: Number(new URL(fleet.gateways[0]!).port), receiver };
  const pepper = parsePeppers(env.KEY_PEPPERS!)[0]!;
  const { figures, note } = openNotes();
  const redis = await createClient({ url: env.REDIS_URL! }).connect();
  stops.push(async () => redis.destroy());

  await ask(world.api, store.keys[1]!, 'GET', '/key');
  await ask(world.api, store.keys[1]!, 'POST', '/webhook_subscriptions', {
    webhook_subscription: { url: `${receiver.url}/template`, events: ['sale.completed'] },
  });
  const samples = await addStores(world.database, { template: store.storeId, stores: few, pepper, say });
  // Compiles and plans what is measured.
  await measure(world, samples, 1, 1, say);
  const before = await measure(world, samples, seconds, rounds, say);
  const sizesBefore = await sizes(world, redis);
  const more = await addStores(world.database, { template: store.storeId, stores: stores - few, pepper, say });
  await measure(world, more, 1, 1, say);
  const after = await measure(world, more, seconds, rounds, say);
  const sizesAfter = await sizes(world, redis);

  for (const [name, few] of Object.entries(before))
    note(name, { few: rounded(few), many: rounded(after[name]!), ...ratios(few, after[name]!) });
  const perStore = (name: string) => Math.round((sizesAfter[name]! - sizesBefore[name]!) / (stores - few));
  note('bytes per store', Object.fromEntries(Object.keys(sizesAfter).map((name) => [name, perStore(name)])));
  note('bytes', sizesAfter);
  return figures;
}

function rounded({ p50Ms, cpuMs: cpu }: Figure): Figure {
  const toHundredths = (ms: number) => Number(ms.toFixed(2));
  return { p50Ms: toHundredths(p50Ms), ...(cpu !== undefined && { cpuMs: toHundredths(cpu) }) };
}

function ratios(few: Figure, many: Figure): { ratioOfP50: number; ratioOfCpu?: number } {
  const ratio = (a: number, b: number) => Number((b / a).toFixed(2));
  const ofP50 = { ratioOfP50: ratio(few.p50Ms, many.p50Ms) };
  return few.cpuMs === undefined || many.cpuMs === undefined ? ofP50 : { ...ofP50, ratioOfCpu: ratio(few.cpuMs, many.cpuMs) };
}

/** Each figure's median of the rounds; requests go to the samples in turn. */
async function measure(world: World, samples: SampleStore[], seconds: number, rounds: number, say: (line: string) => void) {
  const sample = (n: number) => samples[n % samples.length]!;
  const get = (to: (store: SampleStore, n: number) => string) => (n: number) => {
    const store = sample(n);
    return wireRequest('GET', `/api/v1${to(store, n)}`, { 'X-API-Key': store.key });
  };
  const requests = {
    'key cache and limiter: GET /key': get(() => '/key'),
    'list of 25': get(() => '/products'),
    'one product': get(({ productIds }, n) => `/products/${productIds[n % productIds.length]}`),
    search: get((_store, n) => `/products?search=basket%20${1 + (n % 40)}`),
  };
  await useEachKey(
    world.port,
    samples.map(({ key }) => key),
  );
  const found = new Map<string, Figure[]>();
  const keep = (name: string, figure: Figure) => found.set(name, [...(found.get(name) ?? []), figure]);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, request] of Object.entries(requests)) {
      say(`round ${round}: ${name}`);
      const cpuBefore = cpuMs(world.processes);
      const result = await load({ host: '127.0.0.1', port: world.port, connections, seconds, request });
      const used = usedMs(cpuBefore, world.processes);
      const failed = Object.entries(result.statuses).reduce((sum, [status, n]) => sum + (['200', '429'].includes(status) ? 0 : n), 0);
      if (failed > result.requests * failedMax) throw new Error(`${failed} of ${result.requests} requests failed: ${name}`);
      keep(name, { p50Ms: result.p50Ms, cpuMs: used / result.requests });
    }
    say(`round ${round}: the relay, and webhooks beside a receiver that hangs`);
    keep('relay: one row of a backlog', await drainBacklog(world, samples));
    keep('webhooks: commit to first byte beside one that hangs', await deliver(world, samples));
  }
  return Object.fromEntries(
    Array.from(found, ([name, list]) => [name, list.sort((a, b) => a.p50Ms - b.p50Ms)[Math.floor(list.length / 2)]!]),
  );
}

const pollMs = 20;
/** Rows go in the order of their ids. */
const unsentSql = 'select max(id) - min(id) + 1 as left from catalog.outbox';

/** Events of the samples in turn, which nobody subscribes to; per row. */
async function drainBacklog(world: World, samples: SampleStore[]): Promise<Figure> {
  const cpuBefore = cpuMs(world.processes);
  const startedAt = performance.now();
  await addEvents(
    world,
    samples.map(({ storeId }) => storeId),
    backlogRows,
    'product.deleted',
  );
  // Not their number: counting would cost more than the relay.
  await until(async () => Number((await world.database.query(unsentSql)).rows[0]?.left ?? 0));
  const tookMs = performance.now() - startedAt;
  const used = usedMs(cpuBefore, world.processes);
  return { p50Ms: tookMs / backlogRows, cpuMs: used / backlogRows };
}

/** Some stores subscribe; the receiver of one never answers. */
async function deliver(world: World, samples: SampleStore[]): Promise<Figure> {
  const subscribed = samples.slice(0, subscribers);
  const ids: number[] = [];
  for (const [n, { key }] of subscribed.entries()) {
    const to = n === 0 ? hangingPath : `/store-${n}`;
    const webhook_subscription = { url: `${world.receiver.url}${to}`, events: ['product.updated'] };
    const { data } = await ask(world.api, key, 'POST', '/webhook_subscriptions', { webhook_subscription });
    ids.push(data.id);
    world.receiver.secrets.set(to, data.secret);
  }
  world.receiver.arrivals.length = 0;
  const events = eventsPerSubscriber * subscribed.length;
  for (let n = 0; n < events; n += subscribed.length) {
    await addEvents(
      world,
      subscribed.map(({ storeId }) => storeId),
      subscribed.length,
      'product.updated',
    );
    await wait(50);
  }
  const healthy = () => world.receiver.arrivals.filter((arrival) => arrival.path !== hangingPath);
  await until(async () => events - eventsPerSubscriber - healthy().length);
  for (const [n, { key }] of subscribed.entries()) await ask(world.api, key, 'DELETE', `/webhook_subscriptions/${ids[n]}`);
  return { p50Ms: percentiles(healthy().map(({ latencyMs }) => latencyMs)).p50 };
}

/** Commits events as a service does, of the stores in turn. */
async function addEvents({ database }: World, storeIds: number[], count: number, name: string): Promise<void> {
  await database.query(
    `insert into catalog.outbox (event_id, store_id, name, aggregate, public, internal, actor, request_id, created_at)
     select e.id, ($1::bigint[])[1 + n % cardinality($1::bigint[])], $3, 'bench-' || n % 500,
       convert_to(jsonb_build_object('id', e.id, 'event', $3::text, 'resource_type', 'Product', 'resource_id', n, 'created_at',
         to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', jsonb_build_object('id', n))::text, 'UTF8'),
       null, '{"type":"system","key":null,"user":null}', 'bench', e.at
     from (select n, gen_random_uuid() as id, clock_timestamp() as at from generate_series(0, $2::int - 1) n) e order by n`,
    [storeIds, count, name],
  );
  await database.query(`select pg_notify('outbox_catalog', '')`);
}

/** Bytes of each schema, of Redis, and of each process's memory. */
async function sizes(world: World, redis: { info(section: string): Promise<string> }): Promise<Record<string, number>> {
  const { rows } = await world.database.query<{ name: string; bytes: string }>(
    `select 'PostgreSQL ' || schemaname as name, sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass))::text as bytes
     from pg_tables where schemaname not in ('pg_catalog', 'information_schema', 'public') group by 1 order by 1`,
  );
  const memory = /^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1];
  const resident = Object.entries(world.processes).flatMap(([name, pid]) => {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kib === undefined ? [] : [[`process ${name}`, Number(kib) * 1_024] as const];
  });
  return {
    ...Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)])),
    Redis: Number(memory),
    ...Object.fromEntries(resident),
  };
}

/** Waits until nothing is left. */
async function until(left: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let endMs = performance.now() + stuckAfterMs;
  for (let now = await left(); now > 0; now = await left()) {
    if (now < least) endMs = performance.now() + stuckAfterMs;
    least = Math.min(least, now);
    if (performance.now() > endMs) throw new Error(`${least} events did not arrive`);
    await wait(pollMs);
  }
}
