/** Tells every gateway process that a store or key changed (D188), after the commit: NOTIFY inside makes commits wait (D190). */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { closeSession, type Db, keepListening, type Notify, newSession } from '@store/db';
import { recordKeptMs } from '../key-gate/key-gate.ts';

/** A change of a whole store, or of the keys with these hashes (hex). */
export type Change = { storeId: number } | { keys: string[] };

interface Notice {
  id: string;
  store?: number;
  keys?: string[];
}

const changedChannel = 'gateway_changed';
const appliedChannel = 'gateway_heard';
const applicationName = 'store-gateway-notices';
/** A NOTIFY payload has at most 8,000 bytes; a hash takes 67. */
const hashesMax = 100;

export async function notifyChange(db: Pick<Db, 'read'>, change: Change): Promise<string[]> {
  const notices = noticesOf(change);
  for (const notice of notices) await db.read('select pg_notify($1, $2)', [changedChannel, JSON.stringify(notice)]);
  return notices.map(({ id }) => id);
}

function noticesOf(change: Change): Notice[] {
  if ('storeId' in change) return [{ id: randomUUID(), store: change.storeId }];
  const notices: Notice[] = [];
  for (let start = 0; start < change.keys.length; start += hashesMax) {
    notices.push({ id: randomUUID(), keys: change.keys.slice(start, start + hashesMax) });
  }
  return notices;
}

export interface ChangeListener {
  /** These keys may have changed; a notification is acknowledged once this resolves. */
  onKeys(hashes: string[]): Promise<void> | void;
  /** Anything of this store may have changed: its plan, its settings, all of its keys. */
  onStore(storeId: number): Promise<void> | void;
  /** Subscribed. Cached records may be stale: drop them. */
  onConnected(): void;
  /** Notifications may be missed from now on: cache nothing. */
  onLost(): void;
}

interface ListenLog {
  warn(fields: object, message: string): void;
}

const answerWithinMs = 3_000;

const againMinMs = 100;
const againMaxMs = 1_000;

/** Listens on a dedicated connection until stopped; reconnects when it is lost. */
export function listenForChanges(url: string, listener: ChangeListener, log: ListenLog): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const listening = keepListening({
    url,
    applicationName,
    channel: changedChannel,
    onConnected: () => listener.onConnected(),
    onLost: () => listener.onLost(),
    onNotice: (payload, _own, notify) => applyNotice(notify, listener, payload, { log, signal: stopped.signal }),
    log,
  });
  return {
    stop: async () => {
      stopped.abort();
      await listening.stop();
    },
  };
}

interface Trying {
  log: ListenLog;
  signal: AbortSignal;
}

async function applyNotice(notify: Notify, listener: ChangeListener, payload: string, trying: Trying): Promise<void> {
  const notice = JSON.parse(payload) as Notice;
  if (!(await untilTaken(() => take(listener, notice), trying))) return;
  await notify(appliedChannel, notice.id);
}

async function take(listener: ChangeListener, { store, keys }: Notice): Promise<void> {
  if (store !== undefined) await listener.onStore(store);
  if (keys !== undefined) await listener.onKeys(keys);
}

/** Retries until it succeeds, or until the cached records have expired anyway; false: given up. */
async function untilTaken(work: () => Promise<void>, { log, signal }: Trying): Promise<boolean> {
  const giveUpAt = performance.now() + recordKeptMs;
  for (let waitMs = againMinMs; !signal.aborted; waitMs = Math.min(2 * waitMs, againMaxMs)) {
    try {
      await work();
      return true;
    } catch (error) {
      const isLast = performance.now() + waitMs > giveUpAt;
      log.warn(
        { err: error, channel: changedChannel },
        isLast ? 'A notice was given up' : 'A notice could not be taken and is tried again',
      );
      if (isLast) return false;
    }
    // A stop ends the wait and the loop.
    await wait(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
  return false;
}

/** Notifies and waits until every listening gateway has applied the change; false when one did not within `withinMs`. */
export async function notifyAndWait(url: string, change: Change, withinMs: number): Promise<boolean> {
  const client = newSession({ url, applicationName: 'store-change-notices', queryTimeoutMs: answerWithinMs });
  await client.connect();
  try {
    await client.query(`listen ${appliedChannel}`);
    const { rows } = await client.query<{ gateways: number }>(
      'select count(*)::int as gateways from pg_stat_activity where datname = current_database() and application_name = $1',
      [applicationName],
    );
    const notices = noticesOf(change);
    const wanted = new Set(notices.map(({ id }) => id));
    let missing = (rows[0]?.gateways ?? 0) * notices.length;
    const heard = new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(missing <= 0), missing === 0 ? 0 : withinMs);
      client.on('notification', ({ payload }) => {
        if (wanted.has(payload ?? '') && --missing <= 0) {
          clearTimeout(timer);
          resolve(true);
        }
      });
    });
    for (const notice of notices) await client.query('select pg_notify($1, $2)', [changedChannel, JSON.stringify(notice)]);
    return await heard;
  } finally {
    await closeSession(client);
  }
}
