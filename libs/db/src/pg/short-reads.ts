/**
 * Reads of well under a millisecond: those that a store asks in one moment share a connection and leave in one write, as waking a session
 * costs more than the statement.
 */
import type { Holder } from '@store/shares';
import { type Asker, presentAsker, presentHolder } from '@store/shares/asker';
import type pg from 'pg';
import type { Connection, Connections } from './connections.ts';

interface Read {
  statement: pg.QueryConfig;
  asker: Asker | undefined;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** They are answered one after the other; the process that asked takes longer over each answer than PostgreSQL. */
const togetherMax = 8;

export class ShortReads {
  readonly #connections: Connections;
  /** Those of this moment, whose connection is granted. A store's share none with another's, which would wait behind them. */
  readonly #gathering = new Map<Holder, Read[]>();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** The rows, or undefined when no connection is free: then it waits for its own, with its own deadline. */
  ask(statement: pg.QueryConfig): Promise<unknown[]> | undefined {
    const holder = presentHolder();
    const reads = this.#gathering.get(holder) ?? this.#gather(holder);
    if (!reads) return undefined;
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    if (reads.push({ statement, asker: presentAsker(), resolve, reject }) === togetherMax) this.#gathering.delete(holder);
    return promise;
  }

  #gather(holder: Holder): Read[] | undefined {
    if (this.#connections.takeFree() === undefined) return undefined;
    const reads: Read[] = [];
    this.#gathering.set(holder, reads);
    // Once the requests that have arrived together have been read.
    setImmediate(() => void this.#send(holder, reads));
    return reads;
  }

  async #send(holder: Holder, reads: Read[]): Promise<void> {
    if (this.#gathering.get(holder) === reads) this.#gathering.delete(holder);
    let connection: Connection;
    try {
      connection = await this.#connections.open(holder);
    } catch (error) {
      for (const { reject } of reads) reject(error);
      return;
    }
    ask(connection, reads);
  }
}

/** Releases the connection when all are answered; after a failure it is not used again, as with pg's own pool. */
function ask(connection: Connection, reads: Read[]): void {
  const { client } = connection;
  const pending = new Set(reads);
  let isUsable = true;
  // The loss of a connection reaches each statement on it as well.
  const lost = () => {
    isUsable = false;
  };
  client.once('error', lost);
  // Which of them is under way is not known, so they end together.
  const oneIsGone = () => {
    for (const { asker } of pending) if (!asker?.isGone) return;
    connection.abandon();
  };
  for (const read of reads) {
    const forget = read.asker?.whenGone(oneIsGone);
    void client.query(read.statement, (error: Error | null, result: pg.QueryResult) => {
      if (!pending.delete(read)) return;
      forget?.();
      if (error) {
        isUsable = false;
        read.reject(error);
      } else {
        read.resolve(result.rows);
      }
      // The end of one lets PostgreSQL begin the next.
      if (pending.size > 0) return error ? oneIsGone() : undefined;
      client.removeListener('error', lost);
      connection.release(isUsable);
    });
  }
}
