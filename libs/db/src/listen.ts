/** Notifications over a connection of their own, which reconnects. It is checked: from a vanished peer nothing comes, without an error. */
import type pg from 'pg';
import { oneAtATime } from './pg/one-at-a-time.ts';
import { closeSession, newSession } from './pg/session.ts';
import { waitOrAbort } from './wait-or-abort.ts';

export interface ListenOptions {
  url: string;
  applicationName: string;
  channel: string;
  /** Runs on the new connection before it listens, for locks that live as long as the session. */
  prepare?(client: pg.Client): Promise<void>;
  /** Subscribed; earlier notifications were missed. */
  onConnected(notify: Notify): void;
  /** Notifications may be missed from now on. Called only after onConnected. */
  onLost(): void;
  /** `own`: sent over this same connection. */
  onNotice(payload: string, own: boolean, notify: Notify): Promise<void> | void;
  log: { warn(fields: object, message: string): void };
}

export type Notify = (channel: string, payload: string) => Promise<void>;

const heartbeatEveryMs = 5_000;
const answerTimeoutMs = 3_000;
/** The heartbeat keeps the session; PostgreSQL ends the session, and its locks, of a process that is gone or hangs this long. */
const idleMaxMs = 30_000;
const reconnectMinMs = 50;
const reconnectMaxMs = 1_000;

export function keepListening(options: ListenOptions): { stop(): Promise<void> } {
  const stop = new AbortController();
  const running = run(options, stop.signal);
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

async function run(options: ListenOptions, stop: AbortSignal): Promise<void> {
  for (let waitMs = reconnectMinMs; !stop.aborted; waitMs = Math.min(waitMs * 2, reconnectMaxMs)) {
    if (await listenOnce(options, stop)) waitMs = reconnectMinMs;
    await waitOrAbort(waitMs, stop);
  }
}

/** One connection; resolves when it ends, to whether it ever listened. */
async function listenOnce(options: ListenOptions, stop: AbortSignal): Promise<boolean> {
  const { url, applicationName, channel, log } = options;
  const client = newSession({ url, applicationName, idleMaxMs, queryTimeoutMs: answerTimeoutMs });
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  client.once('end', end);
  client.on('error', end);
  stop.addEventListener('abort', end);
  const ask = oneAtATime(client);
  const notify: Notify = async (to, payload) => {
    await ask({ name: 'notify', text: 'select pg_notify($1, $2)', values: [to, payload] });
  };
  let connected = false;
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    client.on('notification', ({ payload, processId }) => {
      const heard = async () => options.onNotice(payload ?? '', processId === rows[0]!.pid, notify);
      heard().catch((error: unknown) => log.warn({ err: error, channel }, 'A notice could not be taken'));
    });
    await options.prepare?.(client);
    await client.query(`listen ${channel}`);
    connected = true;
    options.onConnected(notify);
    heartbeat = setInterval(() => {
      ask({ text: 'select 1' }).catch(() => client.emit('error', new Error('the connection for notices does not answer')));
    }, heartbeatEveryMs);
    await ended;
  } catch (error) {
    log.warn({ err: error, channel }, 'Notices cannot be heard; trying again');
  } finally {
    stop.removeEventListener('abort', end);
    clearInterval(heartbeat);
    if (connected) options.onLost();
    closeSession(client).catch((error: unknown) => log.warn({ err: error, channel }, 'The connection for notices did not close'));
  }
  return connected;
}
