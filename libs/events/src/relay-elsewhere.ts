/**
 * The relay of a schema, as the service sees it where another process publishes its outbox: it is notified after a commit,
 * outside any transaction (D190). One notification is under way at a time, so that a busy service sends few.
 */
import type { Db } from '@store/db';

export class RelayElsewhere {
  readonly #db: Db;
  readonly #log: { warn(fields: object, message: string): void };
  #running: Promise<void> | undefined;
  #again = false;

  constructor(db: Db, log: { warn(fields: object, message: string): void }) {
    this.#db = db;
    this.#log = log;
  }

  /** Rows wait. */
  wake(): void {
    this.#again = true;
    this.#running ??= this.#notify().finally(() => {
      this.#running = undefined;
    });
  }

  async stop(): Promise<void> {
    await this.#running;
  }

  async #notify(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#db.read('relay_wake', 'select pg_notify($1, $2)', [relayChannel(this.#db.schema), '']);
      } catch (error) {
        this.#log.warn({ err: error }, 'The relay could not be notified; its poll will find the rows');
      }
    }
  }
}

/** Where a schema's relay listens. */
export function relayChannel(schema: string): string {
  return `outbox_${schema}`;
}
