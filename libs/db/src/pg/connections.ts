/**
 * The connections of one process. They are handed out store by store in turn, in the name of the present asker (D256). Under a burst a
 * request waits until its caller's deadline: a fixed wait would refuse what could still be answered, or start work whose caller is gone.
 *
 * Few long reads run at a time: PostgreSQL has fewer processors than connections, so those of one store would slow every statement of
 * another. How long a read takes is known only once it runs, so one too many is ended and starts again when it is its turn; while
 * a store has one that waits, its next of the same statement wait at once.
 */
import { type Holder, Shares } from '@store/shares';
import { NobodyWaits, presentAsker, presentHolder, TurnTimeout, takeTurn } from '@store/shares/asker';
import type pg from 'pg';
import type { BoundedStatement } from './described-query.ts';
import type { Session } from './session.ts';

export type PoolState = Readonly<Pick<Connections, 'max' | 'inUse' | 'waiting' | 'timeouts'>>;

/** Longest wait for a connection when the caller has no deadline. */
const waitDefaultMs = 4_000;
/** Reserved for the transaction; starting later overruns the deadline. */
const changeTakesMs = 250;
/** A read that runs longer is a long one. */
const longReadMs = 100;
/** The part of the connections on which long reads run. Each counts double, so that one store alone leaves room for another's. */
const longReadsShare = 1 / 4;
const longReadCounts = 2;
const cancelled = '57014';

export class Connections {
  readonly #pool: pg.Pool;
  readonly #shares: Shares;
  readonly #longReads: Shares;
  /** Long reads that wait for their turn, by store and statement. */
  readonly #waitingLong = new Map<string, number>();
  #timeouts = 0;

  constructor(pool: pg.Pool, max: number) {
    this.#pool = pool;
    this.#shares = new Shares(max);
    this.#longReads = new Shares(longReadCounts * Math.max(1, Math.floor(max * longReadsShare)));
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

  async read(statement: BoundedStatement): Promise<unknown[]> {
    // Work in the background delays no request by its own number.
    if (!presentAsker()) return this.#run(statement);
    const turn: LongTurn = { shares: this.#longReads, holder: presentHolder(), state: 'none' };
    if (this.#waitingLong.size > 0 && this.#waitingLong.has(lineOf(turn.holder, statement))) return this.#runInTurn(turn.holder, statement);
    const { bound } = statement;
    const left = bound?.left;
    try {
      return await this.#run(statement, turn);
    } catch (error) {
      if (turn.state !== 'refused' || (error as pg.DatabaseError).code !== cancelled) throw error;
      // The rows come again.
      if (bound) bound.left = left!;
      return await this.#runInTurn(turn.holder, statement);
    } finally {
      if (turn.state === 'taken') this.#longReads.give(turn.holder, longReadCounts);
    }
  }

  /** Runs a read that is known to be a long one. */
  async #runInTurn(holder: Holder, statement: BoundedStatement): Promise<unknown[]> {
    const line = lineOf(holder, statement);
    this.#waitingLong.set(line, (this.#waitingLong.get(line) ?? 0) + 1);
    let taken: Holder;
    try {
      taken = await this.#turn(this.#longReads, longReadCounts);
    } finally {
      const waiting = this.#waitingLong.get(line)! - 1;
      if (waiting > 0) this.#waitingLong.set(line, waiting);
      else this.#waitingLong.delete(line);
    }
    try {
      return await this.#run(statement);
    } finally {
      this.#longReads.give(taken, longReadCounts);
    }
  }

  async #run(statement: BoundedStatement, turn?: LongTurn): Promise<unknown[]> {
    const connection = await this.take();
    const forget = presentAsker()?.whenGone(() => connection.abandon());
    const timer = turn && setTimeout(() => goOnOrEnd(turn, connection), longReadMs);
    let isUsable = false;
    try {
      const { rows } = await connection.client.query(
        statement.bound ? { ...statement, whenBeyond: () => connection.abandon() } : statement,
      );
      isUsable = true;
      return rows;
    } finally {
      clearTimeout(timer);
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

const lineOf = (holder: Holder, { text }: BoundedStatement): string => `${holder} ${text}`;

interface LongTurn {
  shares: Shares;
  holder: Holder;
  state: 'none' | 'taken' | 'refused';
}

function goOnOrEnd(turn: LongTurn, connection: Connection): void {
  turn.state = turn.shares.takeFree(turn.holder, longReadCounts) ? 'taken' : 'refused';
  if (turn.state === 'refused') connection.abandon();
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
