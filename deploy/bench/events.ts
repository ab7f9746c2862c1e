/**
 * `npm run bench -- --only events`: how long a committed change takes to a consumer at a steady rate, and
 * how fast a backlog of the outbox drains while the API goes on.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createTopics, KafkaTransport, standingOf } from '@store/events';
import { parsePeppers } from '@store/gateway/key-text';
import pg from 'pg';
import { dataDir } from '../local/data-dir.ts';
import { startFleet } from '../local/fleet.ts';
import { startRealParts } from '../local/real-parts.ts';
import { makeFixture } from './fixture.ts';
import { fillOutbox } from './outbox-backlog.ts';

export interface EventBench {
  /** Seconds of each steady run. */
  seconds: number;
  /** Rows of the backlog. */
  rows: number;
  say(line: string): void;
  /** What has to be ended afterwards, last first. */
  stops: (() => Promise<void>)[];
}

/** What an earlier run left in Kafka would be read by this one's groups. */
const KAFKA_PREFIX = `events-bench-${Date.now()}.`;
const perSecond = 50;
const warmUpSeconds = 3;
const log = { error: console.error, warn: () => undefined, info: () => undefined };
const secret = () => `1:${randomBytes(32).toString('base64')}`;

/** Latencies in milliseconds. */
interface Latencies {
  p50: number;
  p99: number;
  n: number;
}

export async function benchEvents({ seconds, rows, say, stops }: EventBench): Promise<Record<string, unknown>> {
  const dir = path.join(dataDir(), 'bench');
  mkdirSync(dir, { recursive: true });
  const parts = await startRealParts(dir, true, say);
  stops.push(() => parts.stop());
  const env = { ...parts.env, KEY_PEPPERS: secret(), SECRET_KEYS: secret(), LOG_LEVEL: 'warn', GATEWAY_PORT: '3100', KAFKA_PREFIX };
  await createTopics({ brokers: env.KAFKA_BROKERS.split(','), prefix: KAFKA_PREFIX, partitions: 6, replicas: 1, log });
  const fleet = await startFleet({ env, logDir: path.join(dir, 'logs') });
  stops.push(() => fleet.stop());
  const fixture = await makeFixture(parts.env.DATABASE_URL, parsePeppers(env.KEY_PEPPERS)[0]!, { small: 5_000, large: 1 });
  // The first key of a fixture is there to be refused.
  const keys = fixture.small.keys.slice(1);
  const api = `${fleet.gateways[0]}/api/v1`;
  await Promise.all(keys.slice(0, keysInTurn).map((key) => request(api, key, 'GET', '/key')));
  const database = new pg.Client({ connectionString: parts.env.DATABASE_URL });
  await database.connect();
  stops.push(() => database.end());
  const arrivals = await listen(parts.env.KAFKA_BROKERS.split(','));
  stops.push(() => arrivals.stop());
  await drained(database);

  const figures: Record<string, unknown> = {};
  const note = (name: string, figure: object) => {
    figures[name] = figure;
    console.log(`${name}: ${JSON.stringify(figure)}`);
  };
  const change = (n: number): Wanted => ['POST', '/products', `{"product":{"name":"Event ${Date.now()} ${n}"}}`];
  await paced(api, keys, warmUpSeconds, change);
  arrivals.fromMs = Date.now();
  const changes = await paced(api, keys, seconds, change);
  await wait(500);
  note(`commit to consumer, ${perSecond} changes/s`, percentiles(arrivals.latencies));
  note('POST /products meanwhile', percentiles(changes));

  // It would decode the backlog too, in the process that takes the times.
  await arrivals.stop();

  const list: Wanted = ['GET', '/products?per_page=25'];
  await paced(api, keys, warmUpSeconds, () => list);
  const before = percentiles(await paced(api, keys, seconds, () => list));
  await fillOutbox(database, fixture.small.storeId, rows);
  const startedAt = performance.now();
  let over = false;
  const during = paced(
    api,
    keys,
    Number.POSITIVE_INFINITY,
    () => list,
    () => over,
  );
  await drained(database);
  const took = (performance.now() - startedAt) / 1_000;
  over = true;
  const meanwhile = percentiles(await during);
  note(`a backlog of ${rows.toLocaleString('en')}`, { rowsPerSecond: Math.round(rows / took) });
  note('GET /products before it, and meanwhile', { before, meanwhile, ratioOfP99: Number((meanwhile.p99 / before.p99).toFixed(2)) });
  return figures;
}

interface Arrivals {
  stop(): Promise<void>;
  latencies: number[];
  /** What was written before is a backlog of earlier runs and is not measured. */
  fromMs: number;
}

async function listen(brokers: string[]): Promise<Arrivals> {
  const topics = ['catalog.events'];
  const group = `bench-${Date.now()}`;
  const transport = new KafkaTransport({ brokers, clientId: 'bench', prefix: KAFKA_PREFIX, log, onFatal: (error) => console.error(error) });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= transport.stop();
    return stopped;
  };
  const arrivals: Arrivals = { latencies: [], fromMs: Number.POSITIVE_INFINITY, stop };
  await transport.subscribe({
    group,
    topics,
    handle: async (batch) => {
      const now = Date.now();
      for (const { createdAt } of batch) {
        const writtenAtMs = Date.parse(createdAt);
        if (writtenAtMs >= arrivals.fromMs) arrivals.latencies.push(now - writtenAtMs);
      }
    },
  });
  while ((await standingOf({ brokers, prefix: KAFKA_PREFIX, log, group, topics })).behind > 0) await wait(200);
  return arrivals;
}

/** The newest row goes last; looking for any row would walk over all that are gone. */
async function drained(database: pg.Client): Promise<void> {
  while ((await database.query('select 1 from catalog.outbox order by id desc limit 1')).rowCount !== 0) await wait(50);
}

type Wanted = readonly [method: string, path: string, body?: string];

const keysInTurn = 50;

/** Requests at a steady rate whatever the answers take; their latencies. */
async function paced(api: string, keys: string[], seconds: number, wanted: (n: number) => Wanted, over = () => false): Promise<number[]> {
  const latencies: number[] = [];
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < perSecond * seconds && !over(); n++) {
    await wait(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
    underWay.push(request(api, keys[n % keysInTurn]!, ...wanted(n)).then((ms) => void latencies.push(ms)));
  }
  await Promise.all(underWay);
  return latencies;
}

async function request(api: string, key: string, method: string, path: string, body?: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
  const response = await fetch(`${api}${path}`, { method, headers, body });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
  return performance.now() - startedAt;
}

function percentiles(latencies: number[]): Latencies {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1));
  return { p50: at(0.5), p99: at(0.99), n: sorted.length };
}
