/**
 * `node deploy/bench/events.ts`: how long a committed change takes to a consumer at a steady rate, and
 * how fast a backlog of the outbox drains while the API goes on.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { KafkaTransport, standingOf } from '@store/events';
import { parsePeppers } from '@store/gateway/key-text';
import { Command } from 'commander';
import pg from 'pg';
import { dataDir } from '../local/data-dir.ts';
import { startFleet } from '../local/fleet.ts';
import { startRealParts } from '../local/real-parts.ts';
import { makeFixture } from './fixture.ts';
import { fillOutbox } from './outbox-backlog.ts';

const options = new Command('events')
  .description('Measures the way of events through outbox, relay and Kafka on one process per app.')
  .option('--rows <n>', 'rows of the backlog', Number, 200_000)
  .option('--rate <n>', 'changes per second of the steady run', Number, 50)
  .option('--seconds <n>', 'seconds of the steady run', Number, 20)
  .parse()
  .opts<{ rows: number; rate: number; seconds: number }>();

const stops: (() => Promise<void>)[] = [];
const log = { error: console.error, warn: () => undefined, info: () => undefined };
const secret = () => `1:${randomBytes(32).toString('base64')}`;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function main(): Promise<void> {
  const dir = path.join(dataDir(), 'bench');
  mkdirSync(dir, { recursive: true });
  const parts = await startRealParts(dir, true, console.error);
  stops.push(() => parts.stop());
  const env = { ...parts.env, KEY_PEPPERS: secret(), SECRET_KEYS: secret(), LOG_LEVEL: 'warn', GATEWAY_PORT: '3100' };
  const fleet = await startFleet({ env, logDir: path.join(dir, 'logs') });
  stops.push(() => fleet.stop());
  const fixture = await makeFixture(parts.env.DATABASE_URL, parsePeppers(env.KEY_PEPPERS)[0]!, { small: 1_000, large: 1 });
  // The first key of a fixture is there to be refused.
  const keys = fixture.small.keys.slice(1);
  const api = `${fleet.gateways[0]}/api/v1`;
  await Promise.all(keys.slice(0, 50).map((key) => request(api, key, 'GET', '/key')));
  const database = new pg.Client({ connectionString: parts.env.DATABASE_URL });
  await database.connect();
  stops.push(() => database.end());
  const arrivals = await listen(parts.env.KAFKA_BROKERS.split(','));
  await drained(database);

  arrivals.fromMs = Date.now();
  const steady = await paced(api, keys, options.rate, options.seconds, (n) => [
    'POST',
    '/products',
    `{"product":{"name":"Event ${Date.now()} ${n}"}}`,
  ]);
  await wait(500);
  print(`commit to consumer at ${options.rate} changes/s (${arrivals.latencies.length} events)`, arrivals.latencies);
  print('POST /products meanwhile', steady);

  const reads = () => ['GET', '/products?per_page=25'] as const;
  const baseline = await paced(api, keys, options.rate, 10, reads);
  print('GET /products before the backlog', baseline);
  const { rows } = await database.query<{ store_id: string }>('select store_id from catalog.products order by id desc limit 1');
  await fillOutbox(database, Number(rows[0]!.store_id), options.rows);
  const startedAt = performance.now();
  let over = false;
  const during = paced(api, keys, options.rate, 600, reads, () => over);
  await drained(database);
  const seconds = (performance.now() - startedAt) / 1_000;
  over = true;
  print('GET /products while it drains', await during);
  console.log(`${options.rows} rows drained in ${seconds.toFixed(1)} s: ${Math.round(options.rows / seconds)} per second`);
}

interface Arrivals {
  latencies: number[];
  /** What was written before is a backlog of earlier runs and is not measured. */
  fromMs: number;
}

async function listen(brokers: string[]): Promise<Arrivals> {
  const arrivals: Arrivals = { latencies: [], fromMs: Number.POSITIVE_INFINITY };
  const topics = ['catalog.events'];
  const group = `bench-${Date.now()}`;
  const transport = new KafkaTransport({ brokers, clientId: 'bench', log, onFatal: (error) => console.error(error) });
  stops.push(() => transport.stop());
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
  while ((await standingOf({ brokers, log, group, topics })).behind > 0) await wait(200);
  return arrivals;
}

async function drained(database: pg.Client): Promise<void> {
  while ((await database.query('select 1 from catalog.outbox limit 1')).rowCount !== 0) await wait(50);
}

type Wanted = readonly [method: string, path: string, body?: string];

/** Requests at a steady rate whatever the answers take; their latencies. */
async function paced(
  api: string,
  keys: string[],
  rate: number,
  seconds: number,
  wanted: (n: number) => Wanted,
  over = () => false,
): Promise<number[]> {
  const latencies: number[] = [];
  const underWay: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < rate * seconds && !over(); n++) {
    await wait(Math.max(0, startedAt + (n * 1_000) / rate - performance.now()));
    underWay.push(request(api, keys[n % 50]!, ...wanted(n)).then((ms) => void latencies.push(ms)));
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

function print(what: string, latencies: number[]): void {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(1);
  console.log(`${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, n ${sorted.length}`);
}

try {
  await main();
} finally {
  for (const stop of stops.splice(0).reverse()) await stop();
}
