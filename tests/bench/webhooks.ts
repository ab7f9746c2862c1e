/**
 * `npm run bench -- --only webhooks`: how long a committed change takes to the first byte at a receiver,
 * how many signed POSTs are sent per second, and what one hanging receiver costs the others. The receiver
 * runs in this process, on the same cores as everything else; latencies start at the event's created_at,
 * slightly before its commit.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { dataDir } from '../../tools/local/data-dir.ts';
import { startServices } from '../../tools/local/services.ts';
import { ask } from './ask.ts';
import { cpuMs, difference } from './cpu.ts';
import { openLayout, openNotes, percentiles } from './events-layout.ts';
import type { BenchStore } from './fixture.ts';
import { type Arrival, type BenchReceiver, hangingPath, openBenchReceiver } from './webhooks-receiver.ts';

export interface WebhookBench {
  seconds: number;
  /** Pairs of runs with and without a receiver that hangs: the ratio must hold in each. */
  rounds: number;
  say(line: string): void;
  /** What must be closed afterwards, last first. */
  stops: (() => Promise<void>)[];
}

const changesPerSecond = 50;
/** POSTs of the sustained runs per second of the run; above the promised rate, so that a backlog builds up. */
const postsPerSecond = 2_000;
const fairnessPerSecond = 8;
const endpoints = 25;
const arrivedWithinMs = 60_000;

/** The common context of every measurement. */
interface World {
  api: string;
  store: BenchStore;
  database: pg.Client;
  processes: Record<string, number>;
  receiver: BenchReceiver;
}

export async function benchWebhooks({ seconds, rounds, say, stops }: WebhookBench): Promise<Record<string, unknown>> {
  const receiver = await openBenchReceiver(path.join(dataDir(), 'bench-receiver-ca.pem'));
  stops.push(() => receiver.close());
  const { env, logDir, fleet, ...layout } = await openLayout({ name: 'webhooks-bench', products: 1_000, env: receiver.env, say, stops });
  const world: World = { ...layout, receiver };
  const { figures, note } = openNotes();
  say('Through Kafka');
  const memory: number[] = [];
  const measured = async (name: string, figure: Promise<object>) => {
    note(name, await figure);
    memory.push(residentMiB(fleet.member('webhooks').pid!));
  };
  await measured('commit to first byte, Kafka', latency(world, seconds));
  await measured('one subscription', sustained(world, 1, seconds));
  await measured(`${endpoints} subscriptions`, sustained(world, endpoints, seconds));
  await measured(`${endpoints} subscriptions, again`, sustained(world, endpoints, seconds));
  await measured('one that hangs', fairness(world, seconds, rounds));
  note('memory of webhooks after each, MiB', memory);
  await fleet.stop();
  say('Embedded: one process, without Kafka and Redis');
  const embedded = await startServices(
    { ...env, GATEWAY_PORT: '0', REDIS_URL: '', KAFKA_BROKERS: '' },
    { logFile: path.join(logDir, 'embedded.log') },
  );
  stops.push(() => embedded.stop());
  note('commit to first byte, embedded', await latency({ ...world, api: `http://${embedded.address}/api/v1` }, seconds));
  note('signatures that did not verify', { count: receiver.unsigned });
  return figures;
}

function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}

/** Real changes through the API at a steady rate to one subscription. */
async function latency(world: World, seconds: number): Promise<object> {
  return withSubscriptions(world, ['/latency'], 'product.created', async () => {
    await postProducts(world, changesPerSecond);
    const warm = await allArrived(world, changesPerSecond);
    const count = changesPerSecond * seconds;
    await postProducts(world, count);
    const measured = (await allArrived(world, warm.length + count)).slice(warm.length);
    return { ...percentiles(latenciesOf(measured)), ...accounted(measured, count) };
  });
}

async function postProducts({ api, store }: World, count: number): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<unknown>[] = [];
  for (let n = 0; n < count; n++) {
    await wait(Math.max(0, startedAt + (n * 1_000) / changesPerSecond - performance.now()));
    underWay.push(ask(api, store.keys[1 + (n % 50)]!, 'POST', '/products', { product: { name: `Hook ${n}` } }));
  }
  await Promise.all(underWay);
}

/** A backlog in the outbox of more POSTs than the promised rate sends in that time. */
async function sustained(world: World, subscriptions: number, seconds: number): Promise<object> {
  const paths = Array.from({ length: subscriptions }, (_, n) => `/sustained-${n}`);
  return withSubscriptions(world, paths, 'product.updated', async () => {
    const events = Math.ceil((postsPerSecond * seconds) / subscriptions);
    const { webhooks, postgres } = world.processes;
    const processes = { webhooks: webhooks!, ...(postgres && { postgres }) };
    const before = cpuMs(processes);
    await addEvents(world, events);
    const arrivals = await allArrived(world, events * subscriptions);
    const used = Object.entries(difference(before, cpuMs(processes)));
    const cpuMsPerPost = Object.fromEntries(used.map(([name, ms]) => [name, Number((ms / arrivals.length).toFixed(3))]));
    const took = (arrivals.at(-1)!.at - arrivals[0]!.at) / 1_000;
    return { postsPerSecond: Math.round(arrivals.length / took), cpuMsPerPost, ...accounted(arrivals, events * subscriptions) };
  });
}

/**
 * Latencies of healthy receivers beside one that never answers, and beside a healthy one, in pairs of runs. A pair is judged
 * by its p95: the p99 of a run is decided by a dozen of its POSTs, which one pause of the machine delays. The p99 is that of
 * all pairs together.
 */
async function fairness(world: World, seconds: number, rounds: number): Promise<object> {
  const healthy = Array.from({ length: endpoints - 1 }, (_, n) => `/healthy-${n}`);
  const run = (last: string) =>
    withSubscriptions(world, [...healthy, last], 'product.updated', async () => {
      const events = fairnessPerSecond * seconds * 2;
      for (let n = 0; n < events; n++) {
        await addEvents(world, 1);
        await wait(1_000 / fairnessPerSecond);
      }
      return latenciesOf(await allArrived(world, events * healthy.length, (arrival) => healthy.includes(arrival.path)));
    });
  // The first run includes compilation and query planning.
  await run('/healthy-too');
  const pairs: object[] = [];
  const all: { healthy: number[]; beside: number[] } = { healthy: [], beside: [] };
  for (let round = 0; round < rounds; round++) {
    const healthy = await run('/healthy-too');
    const beside = await run(hangingPath);
    all.healthy.push(...healthy);
    all.beside.push(...beside);
    const [allHealthy, besideHanging] = [percentiles(healthy), percentiles(beside)];
    pairs.push({ allHealthy, besideHanging, ratioOfP95: ratio(besideHanging.p95, allHealthy.p95) });
  }
  return { pairs, ratioOfP99OfAll: ratio(percentiles(all.beside).p99, percentiles(all.healthy).p99) };
}

const ratio = (above: number, below: number) => Number((above / Math.max(1, below)).toFixed(2));

/** Commits events as a service does, then sends the notification that it sends after its commit. */
async function addEvents({ database, store }: World, count: number): Promise<void> {
  await database.query(
    `insert into catalog.outbox (event_id, store_id, name, aggregate, public, internal, actor, request_id, created_at)
     select e.id, $1, 'product.updated', 'bench-' || n % 500, convert_to(jsonb_build_object('id', e.id, 'event', 'product.updated',
         'resource_type', 'Product', 'resource_id', n, 'created_at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'data', jsonb_build_object('id', n, 'description', repeat('x', 600)))::text, 'UTF8'),
       null, '{"type":"system","key":null,"user":null}', 'bench', e.at
     from (select n, gen_random_uuid() as id, clock_timestamp() as at from generate_series(1, $2::int) n) e order by n`,
    [store.storeId, count],
  );
  await database.query(`select pg_notify('outbox_catalog', '')`);
}

/** Subscribes each path, runs, and deletes the subscriptions. */
async function withSubscriptions<Result>(world: World, paths: string[], event: string, run: () => Promise<Result>): Promise<Result> {
  const { api, store, receiver } = world;
  const key = store.keys[60]!;
  const ids: number[] = [];
  for (const [n, one] of paths.entries()) {
    const webhook_subscription = { url: `${receiver.url}${one}`, events: [event] };
    // A key's first request meets a lower limit, so all subscriptions use one key that has completed a request.
    if (n === 0) await ask(api, key, 'GET', '/key');
    const { data } = await ask(api, key, 'POST', '/webhook_subscriptions', { webhook_subscription });
    ids.push(data.id);
    receiver.secrets.set(one, data.secret);
  }
  receiver.arrivals.length = 0;
  try {
    return await run();
  } finally {
    for (const id of ids) await ask(api, key, 'DELETE', `/webhook_subscriptions/${id}`);
  }
}

async function allArrived({ receiver }: World, count: number, wanted: (arrival: Arrival) => boolean = () => true): Promise<Arrival[]> {
  const giveUpAt = performance.now() + arrivedWithinMs;
  for (;;) {
    const arrivals = receiver.arrivals.filter(wanted);
    if (new Set(arrivals.map(({ path: to, id }) => `${to} ${id}`)).size >= count) return arrivals;
    if (performance.now() > giveUpAt) throw new Error(`${count} POSTs were due, ${arrivals.length} arrived`);
    await wait(50);
  }
}

/** Every expected id arrived, or allArrived would have failed; this counts ids that arrived more than once. */
function accounted(arrivals: Arrival[], due: number): { due: number; missing: number; repeated: number } {
  const distinct = new Set(arrivals.map(({ path: to, id }) => `${to} ${id}`)).size;
  return { due, missing: due - distinct, repeated: arrivals.length - distinct };
}

const latenciesOf = (arrivals: Arrival[]) => arrivals.map(({ latencyMs }) => latencyMs);
