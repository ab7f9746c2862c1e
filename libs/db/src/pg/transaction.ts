/** The transaction of a unit. MikroORM and `sql` both run on it: MikroORM's own transaction and Kysely's cost more than the sending. */
import type { Transaction as Context } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { NobodyWaits } from '@store/shares/asker';
import type pg from 'pg';
import type { Connection } from './connections.ts';

/** Statements of a unit read a few ids by index, and planning costs several times their execution (docs/decisions/0125). */
const beginKeepingPlans = 'begin; set local plan_cache_mode = force_generic_plan';
/** Citus plans some statements on a distributed table only for their values. */
const beginPlanning = 'begin; set local plan_cache_mode = force_custom_plan';

/** What MikroORM asks a transaction to run, and the form of the answer that it reads. */
interface Compiled {
  sql: string;
  parameters: readonly unknown[];
}

interface Executed {
  rows: unknown[];
  numAffectedRows: bigint | undefined;
}

export class Transaction {
  readonly storeId: number;
  readonly isCitus: boolean;
  readonly #connection: Connection;
  /** Error of the first unawaited statement that failed. */
  #failure: { error: unknown } | undefined;
  #isOver = false;
  #isAbandoned = false;

  /** Sends the begin without waiting: the first statement goes with it. */
  constructor(connection: Connection, storeId: number, { isCitus }: { isCitus: boolean }) {
    this.#connection = connection;
    this.storeId = storeId;
    this.isCitus = isCitus;
    this.#unawaited(connection.client.query(isCitus ? beginPlanning : beginKeepingPlans));
  }

  static of(em: EntityManager): Transaction | undefined {
    return em.getTransactionContext() as unknown as Transaction | undefined;
  }

  get context(): Context {
    return this as unknown as Context;
  }

  /** Statements are answered in the order in which they are sent; none is sent after the end, when it would be on its own. */
  async query(statement: pg.QueryConfig | string): Promise<pg.QueryResult> {
    this.#demandOpen();
    try {
      return await this.#connection.client.query(statement);
    } catch (error) {
      throw this.#firstOf(error);
    }
  }

  /**
   * Sends a statement without waiting: what follows, mostly the commit, goes with it. PostgreSQL refuses what follows a failed one; the
   * next awaited statement, or the end, throws its failure.
   */
  send(statement: pg.QueryConfig): void {
    this.#demandOpen();
    this.#unawaited(this.#connection.client.query(statement));
  }

  /** Ends the statement under way. Not the end itself: a commit cancelled while it waits for a standby is kept without the standby. */
  abandon(): void {
    if (this.#isOver) return;
    this.#isAbandoned = true;
    this.#connection.abandon();
  }

  async executeQuery({ sql, parameters }: Compiled): Promise<Executed> {
    const { rows, rowCount } = await this.query(parameters.length === 0 ? sql : { text: sql, values: [...parameters] });
    return { rows, numAffectedRows: rowCount === null ? undefined : BigInt(rowCount) };
  }

  /** Throws when a statement failed before: PostgreSQL answers such a commit with a rollback. */
  async commit(): Promise<void> {
    this.#demandOpen();
    let command: string;
    try {
      ({ command } = await this.#end('commit'));
    } catch (error) {
      throw this.#firstOf(error);
    }
    // The answers come in order: those of the statements before it are there.
    if (this.#failure) throw this.#failure.error;
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, as one of its statements had failed');
  }

  /** Resolves to whether the connection can be used again, and to what made the unit fail. */
  async rollback(error: unknown): Promise<{ isUsable: boolean; cause: unknown }> {
    try {
      await this.#end('rollback');
      return { isUsable: true, cause: this.#firstOf(error) };
    } catch {
      // Why the unit failed matters more, and the connection is closed: PostgreSQL rolls back what was begun on it.
      return { isUsable: false, cause: this.#firstOf(error) };
    }
  }

  #demandOpen(): void {
    if (this.#isOver) throw new Error('the transaction of this statement is over');
    if (this.#isAbandoned) throw new NobodyWaits();
  }

  #unawaited(answer: Promise<unknown>): void {
    answer.catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  /** A statement that failed before is the cause of what failed after it. */
  #firstOf(error: unknown): unknown {
    return this.#failure ? this.#failure.error : error;
  }

  #end(statement: 'commit' | 'rollback'): Promise<pg.QueryResult> {
    this.#isOver = true;
    return this.#connection.client.query(statement);
  }
}
