/**
 * How every connection to PostgreSQL is opened. Either side may vanish without a word (a host that loses power, a network
 * that drops packets), and TCP alone notices that after a quarter of an hour, or never when nothing is sent: PostgreSQL
 * would keep the session and its locks, and this process would wait for an answer that nobody sends.
 */
import type { Socket } from 'node:net';
import pg from 'pg';

export interface SessionOptions {
  /** PostgreSQL URL. */
  url: string;
  applicationName: string;
  /** PostgreSQL ends the session, and with it the locks that it holds, when it was asked nothing for so long. */
  idleMaxMs?: number;
  /** Longest wait for the answer to one statement; 0: as long as the connection lives. */
  queryTimeoutMs?: number;
}

const connectTimeoutMs = 4_000;
/** Half of the longest time that any request may take. */
const queryTimeoutDefaultMs = 15_000;
/** Silence before this side asks whether the other is still there; Node then asks every second, ten times. */
const keepAliveDelayMs = 10_000;
const closeWithinMs = 1_000;

/** What PostgreSQL does on its side of a session whose client may have vanished. */
const serverSettings = {
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20s',
  // No transaction of ours waits for anything but PostgreSQL itself.
  idle_in_transaction_session_timeout: '15s',
};

/** The options of `pg` that every connection has, one of a pool too. */
export function sessionConfig({ url, applicationName, idleMaxMs = 0, queryTimeoutMs }: SessionOptions): pg.ClientConfig {
  const settings = { ...serverSettings, ...(idleMaxMs > 0 && { idle_session_timeout: `${idleMaxMs}ms` }) };
  const ours = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  // The last one counts: what the operator put into the URL stays in force.
  const theirs = URL.canParse(url) ? new URL(url).searchParams.get('options') : null;
  return {
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs ?? queryTimeoutDefaultMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelayMs,
    options: [...ours, ...(theirs ? [theirs] : [])].join(' '),
  };
}

/** A connection of its own, not yet connected. */
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

/**
 * One silent connection makes the idle ones of its pool suspect: each would cost a request its time-out. They are closed, and
 * made anew when they are needed; those in use have their own time-outs.
 */
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

/** A client that gives its connection up with the first statement that had no answer in time: the next would wait behind it. */
export class Session extends pg.Client {
  override query(...asked: unknown[]): never {
    const answer = (super.query as (...asked: unknown[]) => unknown).apply(this, asked);
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'Query read timeout') return;
        cutOff(this);
        this.emit(silent);
      });
    }
    return answer as never;
  }
}

/** Says goodbye; a peer that does not hear it is not waited for. */
export async function closeSession(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => cutOff(client), closeWithinMs);
  try {
    await client.end();
  } finally {
    clearTimeout(timer);
  }
}

function cutOff(client: pg.Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
