/** A relay in another process, which is notified after a commit, outside any transaction (D190); one notification at a time. */
import { type Db, waitOrAbort } from '@store/db';
import { relayTiming } from '../timing.ts';

export class RemoteRelay {
  readonly #db: Pick<Db, 'read' | 'schema'>;
  readonly #log: { warn(fields: object, message: string): void };
  readonly #pauseMs: number;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(
    db: Pick<Db, 'read' | 'schema'>,
    log: { warn(fields: object, message: string): void },
    pauseMs: number = relayTiming.notifyEveryMs,
  ) {
    this.#db = db;
    this.#log = log;
    this.#pauseMs = pauseMs;
  }

  /** Rows wait. */
  wake(): void {
    this.#again = true;
    this.#running ??= this.#notify().finally(() => {
      this.#running = undefined;
    });
  }

  /** The relay is still notified of rows that were committed before it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #notify(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#db.read('select pg_notify($1, $2)', [relayChannel(this.#db.schema), '']);
      } catch (error) {
        this.#log.warn({ err: error }, 'The relay could not be notified; its poll will find the rows');
      }
      await waitOrAbort(this.#pauseMs, this.#stopping.signal);
    }
  }
}

/** Where a schema's relay listens. */
export function relayChannel(schema: string): string {
  return `outbox_${schema}`;
}
