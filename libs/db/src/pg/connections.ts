/**
 * The connections of one process. They are handed out store by store in turn, in the name of the present asker (D256). Under a burst a
 * request waits until its caller's deadline: a fixed wait would refuse what could still be answered, or start work whose caller is gone.
 */
import { type Holder, Shares } from '@store/shares';
import { NobodyWaits, presentAsker, presentHolder, TurnTimeout, takeTurn } from '@store/shares/asker';
import type pg from 'pg';
import type { BoundedStatement } from './described-query.ts';
import { LongReads, longReadMs } from './long-reads.ts';
import type { Session } from './session.ts';

export type PoolState = Readonly<Pick<Connections, 'max' | 'inUse' | 'waiting' | 'timeouts'>>;

/** Longest wait for a connection when the caller has no deadline. */
const waitDefaultMs = 4_000;
/** Reserved for the transaction; starting later overruns the deadline. */
const changeTakesMs = 250;
const cancelled = '57014';

export class Connections {
  readonly #pool: pg.Pool;
  readonly #shares: Shares;
  readonly #longReads: LongReads;
  #timeouts = 0;

  constructor(pool: pg.Pool, max: number) {
    this.#pool = pool;
    this.#shares = new Shares(max);
    this.#longReads = new LongReads(max, (shares, amount) => this.#turn(shares, amount));
  }

  get max(): number {
    return this.#shares.size;
  }

  get inUse(): number {
    return this.#shares.inUse;
  }

  get waiting(): number {
    return this.#shares.waiting;
  }

  /** Requests that got no connection in time, since the start. */
  get timeouts(): number {
    return this.#timeouts;
  }

  /** Resolves with a connection, which must be released; rejects when none was free in time, or the asker is gone. */
  async take(): Promise<Connection> {
    const connection = await this.open(await this.#turn(this.#shares));
    if (!presentAsker()?.isGone) return connection;
    connection.release(true);
    throw new NobodyWaits();
  }

  takeFree(): Holder | undefined {
    const holder = presentHolder();
    return this.#shares.takeFree(holder) ? holder : undefined;
  }

  async open(holder: Holder): Promise<Connection> {
    try {
      const client = await this.#pool.connect();
      return new Connection(client, () => this.#shares.give(holder));
    } catch (error) {
      this.#shares.give(holder);
      throw error;
    }
  }

  /** How long a read takes is known only once it runs: one long read too many is ended, and starts again when it is its turn. */
  async read(statement: BoundedStatement): Promise<unknown[]> {
    // Work in the background delays no request by its own number.
    if (!presentAsker()) return this.#run(statement);
    const holder = presentHolder();
    if (this.#longReads.waits(holder, statement.text)) return this.#runInTurn(holder, statement);
    const { bound } = statement;
    const left = bound?.left;
    let isOneTooMany = false;
    try {
      return await this.#run(statement, () => {
        const end = this.#longReads.takeFree(holder);
        isOneTooMany = end === undefined;
        return end;
      });
    } catch (error) {
      if (!isOneTooMany || (error as pg.DatabaseError).code !== cancelled) throw error;
      // The rows come again.
      if (bound) bound.left = left!;
      return await this.#runInTurn(holder, statement);
    }
  }

  /** Runs a read that is known to be a long one. */
  async #runInTurn(holder: Holder, statement: BoundedStatement): Promise<unknown[]> {
    const end = await this.#longReads.take(holder, statement.text);
    const fromMs = performance.now();
    try {
      return await this.#run(statement);
    } finally {
      end(performance.now() - fromMs);
    }
  }

  /** `mayBeLong` is asked once it takes long: whether it goes on, and what then ends it. */
  async #run(statement: BoundedStatement, mayBeLong?: () => ((tookMs: number) => void) | undefined): Promise<unknown[]> {
    const connection = await this.take();
    const forget = presentAsker()?.whenGone(() => connection.abandon());
    const fromMs = performance.now();
    let end: ((tookMs: number) => void) | undefined;
    const askWhether = () => {
      end = mayBeLong!();
      if (!end) connection.abandon();
    };
    const timer = mayBeLong && setTimeout(askWhether, longReadMs);
    let isUsable = false;
    try {
      const { rows } = await connection.client.query(
        statement.bound ? { ...statement, whenBeyond: () => connection.abandon() } : statement,
      );
      isUsable = true;
      return rows;
    } finally {
      clearTimeout(timer);
      end?.(performance.now() - fromMs);
      forget?.();
      connection.release(isUsable);
    }
  }

  async #turn(shares: Shares, amount = 1): Promise<Holder> {
    const deadlineMs = presentAsker()?.deadlineMs ?? Number.POSITIVE_INFINITY;
    const untilMs = deadlineMs < Number.POSITIVE_INFINITY ? deadlineMs - changeTakesMs : Date.now() + waitDefaultMs;
    try {
      return await takeTurn(shares, untilMs, amount);
    } catch (error) {
      if (!(error instanceof TurnTimeout)) throw error;
      this.#timeouts += 1;
      throw new PoolTimeout();
    }
  }
}

export class Connection {
  readonly client: pg.PoolClient;
  readonly #given: () => void;
  #isSpoiled = false;

  constructor(client: pg.PoolClient, given: () => void) {
    this.client = client;
    this.#given = given;
  }

  /**
   * Nobody waits for the statement under way: PostgreSQL is asked to end it. That could hit the next one on this connection, so none
   * follows.
   */
  abandon(): void {
    const session = this.client as pg.PoolClient & Session;
    if (!session.isBusy) return;
    this.#isSpoiled = true;
    session.cancel();
  }

  /** One that is not usable is closed. */
  release(isUsable: boolean): void {
    this.client.release(!isUsable || this.#isSpoiled);
    this.#given();
  }
}

/** No connection became free in time. */
export class PoolTimeout extends Error {
  constructor() {
    super('No database connection came free in time');
  }
}
