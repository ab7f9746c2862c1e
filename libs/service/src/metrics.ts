/**
 * What `GET /metrics` on HEALTH_PORT answers, in the Prometheus text format. One registry per start, never the global
 * one: several apps can live in one process.
 */
import { type Db, openDb, systemClock } from '@store/db';
import { type Message, MessageTooLarge, type Transport } from '@store/events';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from './log.ts';

/** One answered HTTP request. */
export interface Answered {
  method: string;
  /** Template of the endpoint's path, such as /products/{id}: never the path itself, whose values are unbounded. */
  route: string;
  status: number;
  seconds: number;
}

const durationBuckets = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  readonly #refresh: (() => Promise<void>)[] = [];

  constructor(app: string) {
    this.#registry.setDefaultLabels({ app });
    this.#requests = new Histogram({
      name: 'store_http_request_duration_seconds',
      help: 'Requests below /api/v1 by endpoint and status, from the first byte of the head to the end of the answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: durationBuckets,
      registers: [this.#registry],
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    for (const refresh of this.#refresh) await refresh();
    return this.#registry.metrics();
  }

  /** CPU, memory, event loop and garbage collection; once per process. */
  ofProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  answered({ method, route, status, seconds }: Answered): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  /** A count that another component keeps; read when metrics are requested. */
  count(name: string, help: string, read: () => number): void {
    const counter = new Counter({
      name,
      help,
      registers: [this.#registry],
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }

  /** Wraps the transport and counts what is published and handled through it. */
  overTransport(transport: Transport): Transport {
    const published = new Counter({
      name: 'store_relay_published_total',
      help: 'Events that the relay handed over.',
      registers: [this.#registry],
    });
    const handled = new Counter({
      name: 'store_consumer_handled_total',
      help: 'Messages that a consumer is done with, by its group; those it had seen before included.',
      labelNames: ['group'],
      registers: [this.#registry],
    });
    const failed = new Counter({
      name: 'store_consumer_failed_batches_total',
      help: 'Batches that a consumer could not take for a reason of ours; they come again.',
      labelNames: ['group'],
      registers: [this.#registry],
    });
    const tooLarge = new Counter({
      name: 'store_relay_too_large_total',
      help: 'Events that the broker refused for their size and that went to dead_letters.',
      registers: [this.#registry],
    });
    return {
      publish: async (batch) => {
        try {
          await transport.publish(batch);
        } catch (error) {
          if (error instanceof MessageTooLarge) tooLarge.inc();
          throw error;
        }
        published.inc(batch.length);
      },
      subscribe: ({ group, topics, handle }) =>
        transport.subscribe({
          group,
          topics,
          handle: async (batch: Message[]) => {
            try {
              await handle(batch);
            } catch (error) {
              failed.inc({ group });
              throw error;
            }
            handled.inc({ group }, batch.length);
          },
        }),
      stop: () => transport.stop(),
    };
  }

  /** Rows that wait in the app's schema. When the database is down they are left out and that is reported; all other metrics remain. */
  ofSchema(url: string, schema: string, log: Log): { stop(): Promise<void> } {
    const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [this.#registry] });
    const up = gauge('store_database_up', '1 when PostgreSQL answered the metrics, else 0.');
    const rows = gauge('store_outbox_rows', `Events that are not published yet, ${outboxCountMax} at most.`);
    const oldest = gauge('store_outbox_oldest_seconds', 'Age of the oldest event that is not published yet.');
    const letters = gauge('store_dead_letters', 'Messages that could not be handled and were not sent again.');
    let db: Db | undefined;
    this.#refresh.push(async () => {
      try {
        // A dedicated connection: with a pooled one, an exhausted pool would hide its own metrics.
        db ??= await openDb({ url, schema, entities: [], poolMax: 1, clock: systemClock });
        const waiting = await waitingIn(db);
        rows.set(waiting.rows);
        oldest.set(waiting.oldest);
        letters.set(waiting.letters);
        up.set(1);
      } catch (error) {
        log.warn({ err: error }, 'PostgreSQL did not answer the metrics');
        for (const unknown of [rows, oldest, letters]) unknown.remove();
        up.set(0);
      }
    });
    return { stop: async () => db?.close() };
  }
}

/** Counting beyond this costs more than the figure is worth. */
const outboxCountMax = 100_000;

async function waitingIn(db: Db): Promise<{ rows: number; oldest: number; letters: number }> {
  const [row] = await db.read<{ rows: string; oldest: string; letters: string }>(
    'metrics',
    `select (select count(*) from (select from ${db.schema}.outbox limit $1) as waiting) as rows,
       coalesce((select extract(epoch from clock_timestamp() - created_at) from ${db.schema}.outbox order by id limit 1), 0) as oldest,
       (select count(*) from ${db.schema}.dead_letters where redriven_at is null) as letters`,
    [outboxCountMax],
  );
  return { rows: Number(row!.rows), oldest: Math.max(0, Number(row!.oldest)), letters: Number(row!.letters) };
}
