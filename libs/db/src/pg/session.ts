/**
 * Options of every connection. Either side may vanish without closing it, which TCP alone notices after a quarter of an hour or never;
 * until then PostgreSQL would keep the session's locks, and this process would wait for an answer.
 */
import type { Socket } from 'node:net';
import pg from 'pg';
import { parse } from 'pg-connection-string';
import { aboutRefusal } from './database-errors.ts';
import { DescribedQuery } from './described-query.ts';

export interface SessionOptions {
  url: string;
  applicationName: string;
  /** PostgreSQL ends the session, and the locks that it holds, after this long without a statement. */
  idleMaxMs?: number;
  /** Longest time without an answer while statements are under way; 0: no limit. */
  queryTimeoutMs?: number;
  /** A pooler gives its clients connections on which a statement may have been prepared at another time, with other columns. */
  isPooled?: boolean;
}

interface SessionConfig extends pg.ClientConfig {
  isPooled?: boolean;
  answerTimeoutMs?: number;
}

const connectTimeoutMs = 4_000;
/** Half of the longest time that any request may take. */
const queryTimeoutDefaultMs = 15_000;
/** Idle time before TCP keepalive probes; Node then sends one every second, ten times. */
const keepAliveDelayMs = 10_000;
const closeTimeoutMs = 1_000;
/**
 * PostgreSQL ends a statement later than its client does: a limit that came first could end a commit's wait for a standby, and the commit
 * would be answered without it.
 */
const afterClientMs = 5_000;

const serverSettings = {
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20s',
  // A statement whose client has closed the connection, or was killed, ends.
  client_connection_check_interval: '1s',
  // No transaction of this project waits for anything but PostgreSQL itself.
  idle_in_transaction_session_timeout: '15s',
  // Values are bound, and PostgreSQL's log holds none of them, whatever its own settings say.
  log_parameter_max_length_on_error: '0',
};

/** Settings of every role, for connections through a pooler, which has settings of its own for clients that vanished. */
export const heldByRole = {
  statement_timeout: `${queryTimeoutDefaultMs + afterClientMs}ms`,
  idle_in_transaction_session_timeout: serverSettings.idle_in_transaction_session_timeout,
  log_parameter_max_length_on_error: serverSettings.log_parameter_max_length_on_error,
};

export function sessionConfig({
  url,
  applicationName,
  idleMaxMs = 0,
  queryTimeoutMs = queryTimeoutDefaultMs,
  isPooled = false,
}: SessionOptions): SessionConfig {
  const settings = {
    ...serverSettings,
    // The role may have one.
    statement_timeout: queryTimeoutMs > 0 ? `${queryTimeoutMs + afterClientMs}ms` : '0',
    ...(idleMaxMs > 0 && { idle_session_timeout: `${idleMaxMs}ms` }),
  };
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  // The last one applies, so what the operator put into the URL takes precedence.
  const theirs = URL.canParse(url) ? new URL(url).searchParams.get('options') : null;
  return {
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    answerTimeoutMs: queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    options: [...ours, ...(theirs ? [theirs] : [])].join(' '),
    isPooled,
    ...tlsOf(url),
  };
}

/** What sslmode and its like in the URL ask for: MikroORM passes on of a URL only who, where and which database. */
function tlsOf(url: string): Pick<pg.ClientConfig, 'ssl'> {
  const { ssl } = parse(url);
  return ssl === undefined ? {} : { ssl: ssl as NonNullable<pg.ClientConfig['ssl']> };
}

export function newSession(options: SessionOptions): pg.Client {
  return new Session({ ...sessionConfig(options), connectionString: withoutOptions(options.url) });
}

/** `pg` lets the options of a URL replace those that are given beside it. */
function withoutOptions(url: string): string {
  if (!URL.canParse(url) || !new URL(url).searchParams.has('options')) return url;
  const rest = new URL(url);
  rest.searchParams.delete('options');
  return rest.href;
}

const silent = 'silent';

/** After one silent connection the idle ones of its pool are closed: each would cost a request its timeout. */
export function dropIdleWhenSilent(pool: pg.Pool): void {
  const idle = new Set<pg.Client>();
  pool.on('acquire', (client) => idle.delete(client as unknown as pg.Client));
  pool.on('release', (_error, client) => idle.add(client as unknown as pg.Client));
  pool.on('remove', (client) => idle.delete(client as unknown as pg.Client));
  pool.on('connect', (client) => {
    client.on(silent as 'drain', () => {
      for (const one of idle) cutOff(one);
    });
  });
}

type Callback = (error: Error | null, result: pg.QueryResult) => void;

/** What pg knows of the session that is to be cancelled, and the members of its connections that its types leave out. */
interface Cancelled {
  host: string;
  port: number;
  ssl: object | boolean;
  sslNegotiation: string;
  processID: number;
  secretKey: number;
}

interface Canceller {
  stream: Socket;
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/**
 * Closes its connection at the first statement without an answer in time, behind which the next would wait. Statements of the same moment
 * leave in one write.
 */
export class Session extends pg.Client {
  #isGathering = false;
  #underWay = 0;
  readonly #isPooled: boolean;
  /** One for all statements: with a timer for each, as pg has it, all rows outlive the collection of young objects (docs/performance.md). */
  readonly #answerTimer: NodeJS.Timeout | undefined;
  #isSilent = false;

  constructor(config?: SessionConfig) {
    super(config);
    this.#isPooled = config?.isPooled ?? false;
    const timeoutMs = config?.answerTimeoutMs ?? 0;
    if (timeoutMs > 0) this.#answerTimer = setTimeout(() => this.#endSilent(), timeoutMs).unref();
  }

  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  /** Asks PostgreSQL, over a connection of its own, to end the statement under way. */
  cancel(): void {
    const { host, port, ssl, sslNegotiation, processID, secretKey } = this as unknown as Cancelled;
    const connection = new pg.Connection({ ssl, sslNegotiation } as pg.ConnectionConfig) as pg.Connection & Canceller;
    const timer = setTimeout(() => connection.stream.destroy(), connectTimeoutMs);
    connection.once(ssl ? 'sslconnect' : 'connect', () => connection.cancel(processID, secretKey));
    if (ssl && sslNegotiation !== 'direct') connection.once('connect', () => connection.requestSsl());
    // What cannot be cancelled ends at the time limit of the session.
    connection.on('error', () => connection.stream.destroy());
    connection.once('end', () => clearTimeout(timer));
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  }

  override query(...asked: unknown[]): never {
    this.#gather();
    return this.#ask(asked) as never;
  }

  #ask([config, ...rest]: unknown[]): unknown {
    const ask = super.query as (...asked: unknown[]) => unknown;
    const isNamed = typeof (config as pg.QueryConfig | undefined)?.name === 'string';
    const query = isNamed ? new DescribedQuery(config as pg.QueryConfig, { isKept: !this.#isPooled }) : config;
    // The pool's own queries bring a callback.
    const callback = rest.at(-1);
    if (typeof callback === 'function') return ask.call(this, query, ...rest.slice(0, -1), this.#counted(callback as Callback));
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const settle: Callback = (error, result) => {
      if (error) reject(error);
      else resolve(result);
    };
    ask.call(this, query, ...rest, this.#counted(settle));
    return promise.catch((error: Error) => {
      // Point the stack trace at the caller, as pg does.
      Error.captureStackTrace(error);
      throw error;
    });
  }

  #counted(callback: Callback): Callback {
    if (this.#underWay === 0) this.#answerTimer?.refresh();
    this.#underWay += 1;
    const isOpen = !this.#isSilent;
    return (error, result) => {
      this.#underWay -= 1;
      this.#answerTimer?.refresh();
      if (error instanceof pg.DatabaseError) aboutRefusal(error);
      callback(error && isOpen && this.#isSilent ? new Error('PostgreSQL did not answer in time', { cause: error }) : error, result);
    };
  }

  #endSilent(): void {
    if (this.#underWay === 0) return;
    this.#isSilent = true;
    cutOff(this);
    this.emit(silent);
  }

  /** Until all that runs before the next event has run: pg itself writes each statement by itself. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    const stream = streamOf(this);
    stream.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      stream.uncork();
    });
  }
}

/** Ends the session; a peer that does not answer is not waited for. */
export async function closeSession(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => cutOff(client), closeTimeoutMs);
  try {
    await client.end();
  } finally {
    clearTimeout(timer);
  }
}

function cutOff(client: pg.Client): void {
  streamOf(client).destroy();
}

function streamOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
