/** The answered requests, written in one statement a second: a write per request would cost more than the request. */
import { type Db, type Row, sql } from '@store/db';
import { deleteOld, type Log } from '@store/service';
import type { HandledRequest } from './handled-request.ts';

export type NewHandledRequest = Omit<Row<typeof HandledRequest>, 'id'>;

export const requestFlushEveryMs = 1_000;
/** Rows kept while the database does not answer: about 10 MB. Further ones are dropped and counted. */
const waitingMax = 20_000;
const keptDays = 30;
const dayMs = 24 * 3_600_000;

/** Text: one statement that takes batches of any size. */
const writeRequests = `
  insert into gateway.requests (store_id, request_id, method, route, status, error_code, key_id, user_id, duration_ms, created_at)
  select * from jsonb_to_recordset($1) as r(store_id bigint, request_id text, method text, route text, status int, error_code text,
    key_id bigint, user_id bigint, duration_ms int, created_at timestamptz)`;

export class RequestLog {
  readonly #db: Db;
  readonly #log: Pick<Log, 'warn'>;
  #waiting: NewHandledRequest[] = [];
  #lost = 0;
  #written: Promise<void> = Promise.resolve();

  constructor(db: Db, log: Pick<Log, 'warn'>) {
    this.#db = db;
    this.#log = log;
  }

  record(request: NewHandledRequest): void {
    if (this.#waiting.length < waitingMax) this.#waiting.push(request);
    else this.#lost += 1;
  }

  /** Writes the rows recorded before the call, one statement after another; after a failure they stay for the next call. */
  flush(): Promise<void> {
    const before = this.#written.catch(() => undefined);
    this.#written = before.then(() => this.#write());
    return this.#written;
  }

  async #write(): Promise<void> {
    if (this.#lost > 0) {
      this.#log.warn({ lost: this.#lost }, 'Requests were not recorded: too many waited for the database');
      this.#lost = 0;
    }
    const taken = this.#waiting;
    if (taken.length === 0) return;
    this.#waiting = [];
    try {
      await this.#db.unit(0, (em) => sql(em, writeRequests, [JSON.stringify(taken)]));
    } catch (error) {
      const kept = [...taken, ...this.#waiting];
      this.#waiting = kept.slice(0, waitingMax);
      this.#lost += kept.length - this.#waiting.length;
      throw error;
    }
  }
}

export const forgetRequestsEveryMs = 10 * 60_000;

export const forgetOldRequests = (db: Db): Promise<void> => deleteOld(db, { table: 'requests', key: 'id' }, keptSince(db.clock.now()));

export function keptSince(now: Date): Date {
  return new Date(now.getTime() - keptDays * dayMs);
}
