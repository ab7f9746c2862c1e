/**
 * `npm run bench -- --only events`: how long a committed change takes to reach a consumer at a steady rate, and
 * how fast a backlog of the outbox drains while the API serves requests.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { KafkaTransport, standingOf } from '@store/events';
import type pg from 'pg';
import { openLayout, openNotes, percentiles, quiet } from './events-layout.ts';
import { fillOutbox } from './outbox-backlog.ts';

export interface EventBench {
  /** Seconds of each steady run. */
  seconds: number;
  /** Rows of the backlog. */
  rows: number;
  say(line: string): void;
  /** What must be closed afterwards, last first. */
  stops: (() => Promise<void>)[];
}

const perSecond = 50;
const warmUpSeconds = 3;

export async function benchEvents({ seconds, rows, say, stops }: EventBench): Promise<Record<string, unknown>> {
  const { env, api, store, database } = await openLayout({ name: 'events-bench', products: 5_000, say, stops });
  // The fixture's first key is for refused requests.
  const keys = store.keys.slice(1);
  await Promise.all(keys.slice(0, keysInTurn).map((key) => request(api, key, 'GET', '/key')));
  const arrivals = await listen({ brokers: env.KAFKA_BROKERS!.split(','), prefix: env.KAFKA_PREFIX!, log: quiet });
  stops.push(() => arrivals.stop());
  await drained(database);

  const { figures, note } = openNotes();
  const change = (n: number): Wanted => ['POST', '/products', `{"product":{"name":"Event ${Date.now()} ${n}"}}`];
  await paced(api, keys, warmUpSeconds, change);
  arrivals.fromMs = Date.now();
  const changes = await paced(api, keys, seconds, change);
  await wait(500);
  note(`commit to consumer, ${perSecond} changes/s`, percentiles(arrivals.latencies));
  note('POST /products meanwhile', percentiles(changes));

  // It would decode the backlog too, in the process that measures the times.
  await arrivals.stop();

  const list: Wanted = ['GET', '/products?per_page=25'];
  await paced(api, keys, warmUpSeconds, () => list);
  const before = percentiles(await paced(api, keys, seconds, () => list));
  await fillOutbox(database, store.storeId, rows);
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
  /** Rows written before are a backlog of earlier runs and are not measured. */
  fromMs: number;
}

async function listen(kafka: { brokers: string[]; prefix: string; log: typeof quiet }): Promise<Arrivals> {
  const topics = ['catalog.events'];
  const group = `bench-${Date.now()}`;
  const transport = new KafkaTransport({ ...kafka, clientId: 'bench', onFatal: (error) => console.error(error) });
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
  while ((await standingOf({ ...kafka, group, topics })).behind > 0) await wait(200);
  return arrivals;
}

/** The newest row is deleted last; a search for any row would scan all deleted ones. */
async function drained(database: pg.Client): Promise<void> {
  while ((await database.query('select 1 from catalog.outbox order by id desc limit 1')).rowCount !== 0) await wait(50);
}

type Wanted = readonly [method: string, path: string, body?: string];

const keysInTurn = 50;

/** Sends requests at a steady rate, however long the answers take; returns their latencies. */
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
