/** `GET /metrics` on HEALTH_PORT (Prometheus), a registry per start: several apps can live in one process. */
import { createRequire } from 'node:module';
import { type Message, MessageTooLarge, type Transport } from '@store/events';
import type { Counter, Gauge, Histogram } from 'prom-client';

const require = createRequire(import.meta.url);

/** Loaded with the first registry: without HEALTH_PORT nothing is counted. */
const prom = () => require('prom-client') as typeof import('prom-client');

/** Of the repository; an image has the file too. */
const installed = require('../../../package.json') as { version: string };

type Labels = Record<string, string>;

/** Read when metrics are requested; undefined: unknown, and left out. */
type Read = () => number | undefined;

export interface Figure {
  name: string;
  help: string;
  /** SQL text of one row with the column `value`. */
  text: string;
}

export interface Answered {
  method: string;
  /** Template of the endpoint's path, such as /products/{id}: never the path itself, whose values are unbounded. */
  route: string;
  status: number;
  seconds: number;
}

const durationBuckets = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export class Metrics {
  readonly #registry = new (prom().Registry)();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;

  /** By metric: who is read for it, and under which labels. */
  readonly #sources = new Map<string, { labels: Labels; read: Read }[]>();
  readonly #figures: Figure[] = [];
  readonly #refresh: (() => Promise<void>)[] = [];

  constructor(app: string) {
    this.#registry.setDefaultLabels({ app });
    new (prom().Gauge)({
      ...{ name: 'store_build_info', help: 'Always 1: the version of this process.', labelNames: ['version'], registers: [this.#registry] },
    }).set({ version: installed.version }, 1);
    this.#requests = new (prom().Histogram)({
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
    await Promise.all(this.#refresh.map((refresh) => refresh()));
    return this.#registry.metrics();
  }

  /** CPU, memory, event loop and garbage collection; once per process. */
  ofProcess(): void {
    prom().collectDefaultMetrics({ register: this.#registry });
  }

  answered({ method, route, status, seconds }: Answered): void {
    this.#requests.observe({ method, route, status }, seconds);
  }

  /** Runs before the metrics are written; it must not reject. */
  beforeText(refresh: () => Promise<void>): void {
    this.#refresh.push(refresh);
  }

  /** A count that another component keeps. Several may share a name, each with its own labels. */
  count(name: string, help: string, read: Read, labels: Labels = {}): void {
    if (!this.#addSource(name, labels, read)) return;
    const counter: Counter = new (prom().Counter)({
      ...{ name, help, labelNames: Object.keys(labels), registers: [this.#registry] },
      collect: () => {
        counter.reset();
        for (const [given, value] of this.#valuesOf(name)) counter.inc(given, value);
      },
    });
  }

  /** A state that another component keeps. Several may share a name, each with its own labels. */
  gauge(name: string, help: string, read: Read, labels: Labels = {}): void {
    if (!this.#addSource(name, labels, read)) return;
    const gauge: Gauge = new (prom().Gauge)({
      ...{ name, help, labelNames: Object.keys(labels), registers: [this.#registry] },
      collect: () => {
        gauge.reset();
        // A reset leaves a 0 where there are no labels.
        if (Object.keys(labels).length === 0) gauge.remove();
        for (const [given, value] of this.#valuesOf(name)) gauge.set(given, value);
      },
    });
  }

  /** A number of the app's schema, asked for with the outbox when metrics are requested (`measureSchema`). */
  figure(figure: Figure): void {
    this.#figures.push(figure);
  }

  get figures(): readonly Figure[] {
    return this.#figures;
  }

  #addSource(name: string, labels: Labels, read: Read): boolean {
    const known = this.#sources.get(name);
    if (known) known.push({ labels, read });
    else this.#sources.set(name, [{ labels, read }]);
    return known === undefined;
  }

  #valuesOf(name: string): [Labels, number][] {
    return this.#sources.get(name)!.flatMap(({ labels, read }): [Labels, number][] => {
      const value = read();
      return value === undefined ? [] : [[labels, value]];
    });
  }

  /** Wraps the transport and counts what is published and handled through it. */
  overTransport(transport: Transport): Transport {
    const counter = (name: string, help: string, labelNames: string[] = []) =>
      new (prom().Counter)({ name, help, labelNames, registers: [this.#registry] });
    const published = counter('store_relay_published_total', 'Events that the relay handed over.');
    const handled = counter(
      'store_consumer_handled_total',
      'Messages that a consumer is done with, by its group; those it had seen before included.',
      ['group'],
    );
    const failed = counter(
      'store_consumer_failed_batches_total',
      'Batches that a consumer could not handle because of a fault on our side; they are repeated.',
      ['group'],
    );
    const tooLarge = counter('store_relay_too_large_total', 'Events that the broker refused for their size and that went to dead_letters.');
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
      subscribe: ({ group, handle, ...rest }) =>
        transport.subscribe({
          ...rest,
          group,
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
      ...(transport.stopConsuming && { stopConsuming: () => transport.stopConsuming!() }),
      stop: () => transport.stop(),
    };
  }
}
