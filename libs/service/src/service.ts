/** Parts of a service, which stop in the reverse order of their start. */
import type { Clock } from '@store/db';
import type { Transport } from '@store/events';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export interface StartOptions {
  env: NodeJS.ProcessEnv;
  log: Log;
  /** The in-process transport of the embedded default; absent: Kafka by configuration. */
  transport: Transport;
  /** Injected in tests. */
  clock?: Clock;
  /** Registry of the app's metrics; absent when metrics are not served. */
  metrics?: Metrics;
}

export interface Running {
  /** Where the service listens, host:port. */
  address: string;
  stop(): Promise<void>;
}

export class Lifecycle {
  readonly #before: [string, () => Promise<void> | void][] = [];
  readonly #stops: [string, () => Promise<void> | void][] = [];
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  onStop(name: string, stop: () => Promise<void> | void): void {
    this.#stops.push([name, stop]);
  }

  /** Stops before every other part, whenever it started: it must accept nothing new while the servers close. */
  beforeStop(name: string, stop: () => Promise<void> | void): void {
    this.#before.push([name, stop]);
  }

  /** Repeats `work`, one run at a time, until the service stops; a run that fails is logged and tried again. */
  every(name: string, everyMs: number, work: () => Promise<unknown>): void {
    let running: Promise<unknown> | undefined;
    const timer = setInterval(() => {
      running ??= work()
        .catch((error: unknown) => this.#log.warn({ err: error, part: name }, 'Background work failed and will be tried again'))
        .finally(() => {
          running = undefined;
        });
    }, everyMs);
    timer.unref();
    this.onStop(name, async () => {
      clearInterval(timer);
      await running;
    });
  }

  /** Stops everything, newest first; a part that fails to stop is logged, and the others are stopped all the same. */
  async stop(): Promise<void> {
    for (const [name, stop] of [...this.#before.splice(0), ...this.#stops.splice(0).reverse()]) {
      try {
        await stop();
      } catch (error) {
        this.#log.warn({ err: error, part: name }, 'A part did not stop cleanly');
      }
    }
  }
}
