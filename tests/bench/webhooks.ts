/**
 * `npm run bench -- --only webhooks`: how long a committed change takes to the first byte at a receiver,
 * how many signed POSTs are sent per second, and what one hanging receiver costs the others. The receiver
 * runs in this process, on the same cores as everything else; latencies start at the event's created_at,
 * slightly before its commit.
 */
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@store/testbed/until';
import type pg from 'pg';
import { startServices } from '../../tools/local/services.ts';
import { succeed } from '../kit/http.ts';
import { startPaced } from '../kit/load.ts';
import { addOutboxRows } from '../kit/outbox-rows.ts';
import { type Hook, isSigned, latencyMsOf, type Receiver } from '../kit/receiver.ts';
import { cpuMs, difference, residentMb } from '../kit/usage.ts';
import {
  type BenchOptions,
  distinct,
  hangingPath,
  openBenchReceiver,
  openLayout,
  openNotes,
  percentiles,
  subscribe,
} from './events-layout.ts';
import type { BenchStore } from './fixture.ts';
import { rounded } from './measure.ts';

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
  receiver: Receiver;
  /** Signing secrets by path. */
  secrets: Map<string, string>;
  /** POSTs without a valid signature of their path. */
  unsigned: number;
}

export async function benchWebhooks({ seconds, rounds, say, stops }: BenchOptions): Promise<Record<string, unknown>> {
  const receiver = await openBenchReceiver({ stops });
  const { env, logDir, fleet, ...layout } = await openLayout({ name: 'webhooks-bench', products: 1_000, env: receiver.env, say, stops });
  const world: World = { ...layout, receiver, secrets: new Map(), unsigned: 0 };
  const { figures, note } = openNotes();
  say('Through Kafka');
  const memory: number[] = [];
  const measured = async (name: string, figure: Promise<object>) => {
    note(name, await figure);
    memory.push(Math.round(residentMb({ webhooks: fleet.member('webhooks').pid! }).webhooks!));
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
  note('commit to first byte, embedded', await latency(Object.assign(world, { api: `http://${embedded.address}/api/v1` }), seconds));
  note('signatures that did not verify', { count: world.unsigned });
  return figures;
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

function postProducts({ api, store }: World, count: number): Promise<void> {
  const post = (n: number) =>
    succeed('POST', `${api}/products`, { key: store.keys[1 + (n % 50)]!, body: { product: { name: `Hook ${n}` } } });
  return startPaced({ perSecond: changesPerSecond, count }, post).ended;
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
    const took = (arrivals.at(-1)!.atMs - arrivals[0]!.atMs) / 1_000;
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

const ratio = (above: number, below: number) => rounded(above / Math.max(1, below));

const addEvents = ({ database, store }: World, count: number): Promise<void> =>
  addOutboxRows(database, { storeIds: [store.storeId], count, name: 'product.updated', textLength: 600 });

/** Subscribes each path, runs, and deletes the subscriptions. */
async function withSubscriptions<Result>(world: World, paths: string[], event: string, run: () => Promise<Result>): Promise<Result> {
  const { api, store, receiver, secrets } = world;
  const key = store.keys[60]!;
  const ends: (() => Promise<void>)[] = [];
  // A key's first request meets a lower limit, so all subscriptions use one key that has completed a request.
  await succeed('GET', `${api}/key`, { key });
  for (const one of paths) {
    const { secret, end } = await subscribe(api, key, `${receiver.url}${one}`, [event]);
    ends.push(end);
    secrets.set(one, secret);
  }
  receiver.hooks.length = 0;
  try {
    return await run();
  } finally {
    world.unsigned += receiver.hooks.filter((hook) => !isSigned(hook, secrets.get(hook.path) ?? '')).length;
    for (const end of ends) await end();
  }
}

async function allArrived({ receiver }: World, count: number, wanted: (hook: Hook) => boolean = () => true): Promise<Hook[]> {
  const arrived = () => receiver.hooks.filter(wanted);
  await until(
    () => distinct(arrived()) >= count,
    arrivedWithinMs,
    () => `${count} POSTs were due, ${arrived().length} arrived`,
  );
  return arrived();
}

/** Every expected id arrived, or allArrived would have failed; this counts ids that arrived more than once. */
function accounted(arrivals: Hook[], due: number): { due: number; missing: number; repeated: number } {
  const count = distinct(arrivals);
  return { due, missing: due - count, repeated: arrivals.length - count };
}

const latenciesOf = (arrivals: Hook[]) => arrivals.map(latencyMsOf);
