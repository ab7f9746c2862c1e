/**
 * Reads that PostgreSQL answers in well under a millisecond. Those that are asked in one moment share a connection and leave in one
 * write: for each of them, waking a session of its own costs both sides more than the statement.
 */
import type pg from 'pg';
import type { ConnectionLimiter } from './connection-limiter.ts';

interface Read {
  statement: pg.QueryConfig;
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

/** They are answered one after the other; the process that asked takes longer over each answer than PostgreSQL. */
const togetherMax = 8;

export class QuickReads {
  readonly #pool: pg.Pool;
  readonly #limiter: ConnectionLimiter;
  /** Those of this moment, whose connection is granted. */
  #gathering: Read[] | undefined;

  constructor(pool: pg.Pool, limiter: ConnectionLimiter) {
    this.#pool = pool;
    this.#limiter = limiter;
  }

  /** The rows, or undefined when no connection is free: then it waits for its own, with its own deadline. */
  ask(statement: pg.QueryConfig): Promise<unknown[]> | undefined {
    if (!this.#gathering) {
      if (!this.#limiter.takeFree()) return undefined;
      const reads: Read[] = [];
      this.#gathering = reads;
      // Once the requests that have arrived together have been read.
      setImmediate(() => this.#send(reads));
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    if (this.#gathering.push({ statement, resolve, reject }) === togetherMax) this.#gathering = undefined;
    return promise;
  }

  #send(reads: Read[]): void {
    if (this.#gathering === reads) this.#gathering = undefined;
    this.#pool.connect((error, client, release) => {
      if (error || !client) {
        this.#limiter.give();
        for (const { reject } of reads) reject(error!);
        return;
      }
      this.#ask(client, reads, (failure) => {
        release(failure);
        this.#limiter.give();
      });
    });
  }

  /** `done`: all are answered; with what failed, after which a connection is not used again, as with pg's own pool. */
  #ask(client: pg.PoolClient, reads: Read[], done: (failure: Error | undefined) => void): void {
    const pending = new Set(reads);
    let failure: Error | undefined;
    // The loss of a connection reaches each statement on it as well.
    const lost = (error: Error) => {
      failure ??= error;
    };
    client.once('error', lost);
    for (const read of reads) {
      void client.query(read.statement, (error: Error | null, result: pg.QueryResult) => {
        if (!pending.delete(read)) return;
        if (error) {
          failure ??= error;
          read.reject(error);
        } else {
          read.resolve(result.rows);
        }
        if (pending.size > 0) return;
        client.removeListener('error', lost);
        done(failure);
      });
    }
  }
}
