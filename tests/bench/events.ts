/**
 * `npm run bench -- --only events`: how long a committed change takes to reach a consumer at a steady rate, and
 * how fast a backlog of the outbox drains while the API serves requests.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { KafkaTransport, standingOf } from '@store/events';
import { logErrors } from '@store/testbed/log';
import { until } from '@store/testbed/until';
import type pg from 'pg';
import { type Answer, isSuccess, send } from '../kit/http.ts';
import { startPaced } from '../kit/load.ts';
import { addOutboxRows, isOutboxEmpty } from '../kit/outbox-rows.ts';
import { type BenchOptions, openLayout, openNotes, percentiles } from './events-layout.ts';

export interface EventBench extends BenchOptions {
  /** Rows of the backlog. */
  rows: number;
}

const perSecond = 50;
const warmUpSeconds = 3;
const keysInTurn = 50;
const drainedWithinMs = 600_000;

export async function benchEvents({ seconds, rows, say, stops }: EventBench): Promise<Record<string, unknown>> {
  const { env, api, store, database } = await openLayout({ name: 'events-bench', products: 5_000, say, stops });
  // The fixture's first key is for refused requests.
  const keys = store.keys.slice(1);
  await Promise.all(keys.slice(0, keysInTurn).map((key) => send('GET', `${api}/key`, { key })));
  /** Starts requests at a steady rate; those that have ended leave their latencies. */
  const pace = (request: (n: number, key: string) => Promise<Answer>, count?: number) => {
    const latencies: number[] = [];
    const paced = startPaced({ perSecond, ...(count !== undefined && { count }) }, async (n) => {
      const { status, text, ms } = await request(n, keys[n % keysInTurn]!);
      if (!isSuccess({ status })) throw new Error(`a request was answered with ${status}: ${text}`);
      latencies.push(ms);
    });
    return { ...paced, latencies };
  };
  const paced = async (forSeconds: number, request: (n: number, key: string) => Promise<Answer>) => {
    const { ended, latencies } = pace(request, forSeconds * perSecond);
    await ended;
    return latencies;
  };
  const arrivals = await listen({ brokers: env.KAFKA_BROKERS!.split(','), prefix: env.KAFKA_PREFIX!, log: logErrors });
  stops.push(() => arrivals.stop());
  await drained(database);

  const { figures, note } = openNotes();
  const change = (n: number, key: string) =>
    send('POST', `${api}/products`, { key, body: { product: { name: `Event ${Date.now()} ${n}` } } });
  await paced(warmUpSeconds, change);
  arrivals.fromMs = Date.now();
  const changes = await paced(seconds, change);
  await wait(500);
  note(`commit to consumer, ${perSecond} changes/s`, percentiles(arrivals.latencies));
  note('POST /products meanwhile', percentiles(changes));

  // It would decode the backlog too, in the process that measures the times.
  await arrivals.stop();

  const list = (_: number, key: string) => send('GET', `${api}/products?per_page=25`, { key });
  await paced(warmUpSeconds, list);
  const before = percentiles(await paced(seconds, list));
  await addOutboxRows(database, { storeIds: [store.storeId], count: rows, name: 'product.updated', audited: true });
  const startedAt = performance.now();
  const during = pace(list);
  await drained(database);
  const took = (performance.now() - startedAt) / 1_000;
  await during.stop();
  const meanwhile = percentiles(during.latencies);
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

async function listen(kafka: { brokers: string[]; prefix: string; log: typeof logErrors }): Promise<Arrivals> {
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

const drained = (database: pg.Client) => until(() => isOutboxEmpty(database), drainedWithinMs);
