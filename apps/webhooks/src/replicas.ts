/**
 * What the processes of webhooks tell each other by NOTIFY, outside any transaction (decision D190):
 * that rows may be due, and what the live stream shows; and by the lock on its number, that each lives. A lost notice loses nothing but time: the
 * delivery loop polls, and a stream is told to load anew.
 */
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { ownersLock } from './deliveries/lease-owners.ts';
import type { News } from './webhooks.ts';

export interface ReplicaListener {
  /** This process's number, locked as long as its session lives. */
  owner: number;
  /** Another process committed rows that may be due. */
  onWake(): void;
  /** Something happened in any process, this one included. */
  onNews(news: News): void;
  /** Notices may have been missed. */
  onGap(): void;
  log: { error(fields: object, message: string): void };
}

const channel = 'webhooks_replicas';
/** A NOTIFY carries at most 8,000 bytes; an id is 19 digits at most, with its quotes and comma 22. */
const idsMax = 300;
/** More waiting than this is news that nobody reads any more. */
const pendingMax = 10_000;
const retryMs = 500;
/** A connection that died without a word would keep this process deaf. */
const heartbeatEveryMs = 10_000;
const answerWithinMs = 4_000;

export class Replicas {
  readonly #url: string;
  readonly #listener: ReplicaListener;
  #client: pg.Client | undefined;
  #wake = false;
  #attempts: string[] = [];
  #subscriptions: string[] = [];
  #sending = false;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(url: string, listener: ReplicaListener) {
    this.#url = url;
    this.#listener = listener;
  }

  start(): void {
    this.#running = this.#run();
  }

  wake(): void {
    this.#wake = true;
    void this.#send();
  }

  announce({ attempts = [], subscriptions = [] }: News): void {
    if (attempts.length + subscriptions.length === 0) return;
    this.#attempts.push(...attempts);
    this.#subscriptions.push(...subscriptions);
    void this.#send();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** One notice at a time: what comes meanwhile travels with the next. */
  async #send(): Promise<void> {
    const client = this.#client;
    if (!client || this.#sending) return this.#forgetExcess();
    this.#sending = true;
    try {
      while (this.#wake || this.#attempts.length > 0 || this.#subscriptions.length > 0) {
        const payload = JSON.stringify({
          wake: this.#wake,
          attempts: this.#attempts.splice(0, idsMax),
          subscriptions: this.#subscriptions.splice(0, idsMax / 6),
        });
        this.#wake = false;
        await client.query({ name: 'notify-replicas', text: 'select pg_notify($1, $2)', values: [channel, payload] });
      }
    } catch (error) {
      this.#listener.log.error({ err: error }, 'The other processes of webhooks could not be notified; their poll will find the rows');
    } finally {
      this.#sending = false;
    }
  }

  #forgetExcess(): void {
    if (this.#attempts.length > pendingMax) this.#attempts = [];
    if (this.#subscriptions.length > pendingMax) this.#subscriptions = [];
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#listen();
      } catch (error) {
        this.#listener.log.error({ err: error }, 'Notices of other processes of webhooks cannot be heard; trying again');
      }
      await wait(retryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /** One connection's life. */
  async #listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'store-webhooks-replicas',
      connectionTimeoutMillis: answerWithinMs,
      query_timeout: answerWithinMs,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => {
      client.once('end', resolve);
      client.on('error', () => resolve());
      if (this.#stop.signal.aborted) resolve();
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    let heartbeat: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      client.on('notification', ({ processId, payload }) => this.#hear(payload ?? '', processId === rows[0]!.pid));
      // Shared: a session of ours that died without a word may still hold it.
      await client.query('select pg_advisory_lock_shared($1, $2)', [ownersLock, this.#listener.owner]);
      await client.query(`listen ${channel}`);
      this.#client = client;
      // What was told before this connection listened went by unheard.
      this.#listener.onWake();
      this.#listener.onGap();
      heartbeat = setInterval(() => {
        client.query('select 1').catch(() => client.emit('error', new Error('the connection for notices does not answer')));
      }, heartbeatEveryMs);
      await ended;
    } finally {
      clearInterval(heartbeat);
      this.#client = undefined;
      client.end().catch((error: unknown) => this.#listener.log.error({ err: error }, 'The connection for notices did not close'));
    }
  }

  #hear(payload: string, own: boolean): void {
    const { wake, attempts, subscriptions } = JSON.parse(payload) as Required<News> & { wake: boolean };
    if (wake && !own) this.#listener.onWake();
    if (attempts.length + subscriptions.length > 0) this.#listener.onNews({ attempts, subscriptions });
  }
}
