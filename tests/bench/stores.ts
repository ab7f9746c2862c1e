/**
 * `npm run bench -- --only stores --stores 100000`: the same requests, events and deliveries in an installation of 10 stores,
 * and in the same one after many more were added. What grows with the number of stores shows in the ratios.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parsePeppers } from '@store/gateway/key-text';
import { untilNothingLeft } from '@store/testbed/until';
import type pg from 'pg';
import { createClient } from 'redis';
import { succeed } from '../kit/http.ts';
import { addOutboxRows } from '../kit/outbox-rows.ts';
import { latencyMsOf, type Receiver } from '../kit/receiver.ts';
import { cpuMs, residentMb, usedMs } from '../kit/usage.ts';
import { type BenchOptions, hangingPath, openBenchReceiver, openLayout, openNotes, percentiles, subscribe } from './events-layout.ts';
import { load, useEachKey, wireRequest } from './load.ts';
import { rounded } from './measure.ts';
import { addStores, type SampleStore } from './stores-installation.ts';

export interface StoresBench extends Omit<BenchOptions, 'connections'> {
  stores: number;
  /** Products of each store. */
  products: number;
}

interface World {
  port: number;
  api: string;
  database: pg.Client;
  processes: Record<string, number>;
  receiver: Receiver;
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
  const receiver = await openBenchReceiver({ stops });
  const { env, fleet, store, ...layout } = await openLayout({ name: 'stores-bench', products, env: receiver.env, say, stops });
  const world: World = { ...layout, port: Number(new URL(fleet.gateways[0]!).port), receiver };
  const pepper = parsePeppers(env.KEY_PEPPERS!)[0]!;
  const { figures, note } = openNotes();
  const redis = await createClient({ url: env.REDIS_URL! }).connect();
  stops.push(async () => redis.destroy());

  await succeed('GET', `${world.api}/key`, { key: store.keys[1]! });
  await subscribe(world.api, store.keys[1]!, `${receiver.url}/template`, ['sale.completed']);
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
    note(name, { few: shown(few), many: shown(after[name]!), ...ratios(few, after[name]!) });
  const perStore = (name: string) => Math.round((sizesAfter[name]! - sizesBefore[name]!) / (stores - few));
  note('bytes per store', Object.fromEntries(Object.keys(sizesAfter).map((name) => [name, perStore(name)])));
  note('bytes', sizesAfter);
  return figures;
}

const shown = ({ p50Ms, cpuMs: cpu }: Figure): Figure => ({ p50Ms: rounded(p50Ms), ...(cpu !== undefined && { cpuMs: rounded(cpu) }) });

function ratios(few: Figure, many: Figure): { ratioOfP50: number; ratioOfCpu?: number } {
  const ratio = (a: number, b: number) => rounded(b / a);
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

/** Events of the samples in turn, which nobody subscribes to; per row. */
async function drainBacklog(world: World, samples: SampleStore[]): Promise<Figure> {
  const cpuBefore = cpuMs(world.processes);
  const startedAt = performance.now();
  const storeIds = samples.map(({ storeId }) => storeId);
  await addOutboxRows(world.database, { storeIds, count: backlogRows, name: 'product.deleted', textLength: 0 });
  // Rows go in the order of their ids; counting them would cost more than the relay.
  const unsent = 'select max(id) - min(id) + 1 as left from catalog.outbox';
  await arrived(async () => Number((await world.database.query(unsent)).rows[0]?.left ?? 0));
  const tookMs = performance.now() - startedAt;
  return { p50Ms: tookMs / backlogRows, cpuMs: usedMs(cpuBefore, world.processes) / backlogRows };
}

/** Some stores subscribe; the receiver of one never answers. */
async function deliver({ api, receiver, database }: World, samples: SampleStore[]): Promise<Figure> {
  const subscribed = samples.slice(0, subscribers);
  const ends: (() => Promise<void>)[] = [];
  for (const [n, { key }] of subscribed.entries())
    ends.push((await subscribe(api, key, `${receiver.url}${n === 0 ? hangingPath : `/store-${n}`}`, ['product.updated'])).end);
  receiver.hooks.length = 0;
  const events = eventsPerSubscriber * subscribed.length;
  const storeIds = subscribed.map(({ storeId }) => storeId);
  for (let n = 0; n < events; n += subscribed.length) {
    await addOutboxRows(database, { storeIds, count: subscribed.length, name: 'product.updated', textLength: 0 });
    await wait(50);
  }
  const healthy = () => receiver.hooks.filter((hook) => hook.path !== hangingPath);
  await arrived(async () => events - eventsPerSubscriber - healthy().length);
  for (const end of ends) await end();
  return { p50Ms: percentiles(healthy().map(latencyMsOf)).p50 };
}

async function arrived(left: () => Promise<number>): Promise<void> {
  const rest = await untilNothingLeft(left, stuckAfterMs);
  if (rest > 0) throw new Error(`${rest} events did not arrive`);
}

/** Bytes of each schema, of Redis, and of each process's memory. */
async function sizes(world: World, redis: { info(section: string): Promise<string> }): Promise<Record<string, number>> {
  const { rows } = await world.database.query<{ name: string; bytes: string }>(
    `select 'PostgreSQL ' || schemaname as name, sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass))::text as bytes
     from pg_tables where schemaname not in ('pg_catalog', 'information_schema', 'public') group by 1 order by 1`,
  );
  const memory = /^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1];
  const resident = Object.entries(residentMb(world.processes)).map(([name, mb]) => [`process ${name}`, mb * 1_024 * 1_024] as const);
  return {
    ...Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)])),
    Redis: Number(memory),
    ...Object.fromEntries(resident),
  };
}
