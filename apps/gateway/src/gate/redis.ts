/**
 * The gate of many gateway processes: one atomic Redis call per request. It answers within its
 * time-out or rejects; what happens then is the business of with-fallback.ts.
 */
import type { Log } from '@store/service';
import { createClient } from 'redis';
import type { KeyRecord } from '../keys/key-record.ts';
import { type Admission, type Gate, type Timings, timings } from './gate.ts';
import { NoAnswer, within } from './punctual.ts';
import { keysOf, type Reply, scripts } from './redis-scripts.ts';

export interface RedisGateOptions {
  url: string;
  log: Log;
  /** Longest wait for one answer, while this process looks at its socket. */
  timeoutMs?: number;
  /** A connection that answered nothing for this long is given up: its peer may be gone without a word. */
  deafAfterMs?: number;
  times?: Timings;
}

const timeoutDefaultMs = 50;
/** A read of the database that takes longer than this is not remembered. */
const leaseMs = 10_000;
/** How long a start waits for the first connection before it goes on without. */
const connectWaitMs = 1_000;
const deafAfterDefaultMs = 3_000;
const reconnectMaxMs = 500;
const recordsMax = 2_000;

/** Connects, or goes on without after a second: the client keeps trying. */
export async function openRedisGate(options: RedisGateOptions): Promise<RedisGate> {
  const gate = new RedisGate(options);
  await gate.connect(connectWaitMs);
  return gate;
}

function newClient(options: RedisGateOptions) {
  const client = createClient({
    url: options.url,
    RESP: 3,
    disableOfflineQueue: true,
    scripts,
    socket: {
      connectTimeout: 2_000,
      keepAlive: true,
      keepAliveInitialDelay: 10_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), reconnectMaxMs) + Math.random() * 50,
    },
  });
  let saidSo = false;
  client.on('error', (error: Error) => {
    if (!saidSo) options.log.warn({ err: error }, 'Redis connection lost; reconnecting');
    saidSo = true;
  });
  client.on('ready', () => {
    saidSo = false;
  });
  return client;
}

type Client = ReturnType<typeof newClient>;

export class RedisGate implements Gate {
  readonly #options: RedisGateOptions;
  readonly #times: Timings;
  /** Records by their text; a changed record has another text. */
  readonly #records = new Map<string, KeyRecord>();
  #client: Client;
  /** When the first of the calls was written that have had no answer since; undefined: the last one had. */
  #silentSinceMs: number | undefined;
  #stopped = false;

  constructor(options: RedisGateOptions) {
    this.#options = options;
    this.#times = options.times ?? timings;
    this.#client = newClient(options);
  }

  /** Begins to connect; resolves when connected, or after the wait, with the client still trying. */
  async connect(waitMs: number): Promise<void> {
    await within(waitMs, this.#connected()).catch(() => this.#options.log.warn('Redis does not answer yet; starting without it'));
  }

  async admit(hash: string): Promise<Admission> {
    return this.#admission(await this.#ask((client) => client.admit(hash, this.#times.windowMs, leaseMs)));
  }

  async remember(hash: string, record: KeyRecord, version: number): Promise<Admission> {
    const { windowMs, recordKeptMs } = this.#times;
    const text = JSON.stringify(record);
    return this.#admission(await this.#ask((client) => client.remember(hash, windowMs, version, text, recordKeptMs, record.revoked)));
  }

  async complete(hash: string): Promise<void> {
    const [, , , , mark] = keysOf(hash);
    const expiration = { type: 'PX', value: this.#times.completedLatelyMs } as const;
    await this.#ask((client) => client.set(mark, '1', { expiration }));
  }

  async forget(hashes: string[]): Promise<void> {
    await Promise.all(
      hashes.map((hash) => {
        const [, record, lease] = keysOf(hash);
        return this.#ask((client) => client.del([lease, record]));
      }),
    );
  }

  async bury(hash: string): Promise<void> {
    const [tombstone] = keysOf(hash);
    await this.#ask((client) => client.set(tombstone, '1'));
  }

  async unbury(hash: string): Promise<void> {
    const [tombstone] = keysOf(hash);
    await this.#ask((client) => client.del(tombstone));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#client.destroy();
  }

  #admission(reply: unknown): Admission {
    const [revoked, record, lease, count, markLeftMs, nowMs] = reply as Reply;
    return {
      record: record === null ? undefined : this.#parsed(record),
      version: Number(lease),
      revoked: revoked === 1,
      count,
      completedLately: markLeftMs >= 0,
      markStale: markLeftMs <= this.#times.completedLatelyMs - this.#times.markFreshMs,
      nowMs,
    };
  }

  /** One text is one record: what is derived from a record is then derived once, not per request. */
  #parsed(text: string): KeyRecord {
    let record = this.#records.get(text);
    if (!record) {
      record = JSON.parse(text) as KeyRecord;
      if (this.#records.size >= recordsMax) this.#records.clear();
      this.#records.set(text, record);
    }
    return record;
  }

  /** node-redis bounds only the wait before a command is written, so a hung server needs a time-out here. */
  async #ask<T>(command: (client: Client) => Promise<T>): Promise<T> {
    try {
      const answer = await within(this.#options.timeoutMs ?? timeoutDefaultMs, command(this.#client));
      this.#silentSinceMs = undefined;
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) this.#noteSilence(error.sinceMs);
      throw error;
    }
  }

  #noteSilence(sinceMs: number): void {
    this.#silentSinceMs ??= sinceMs;
    if (performance.now() - this.#silentSinceMs <= (this.#options.deafAfterMs ?? deafAfterDefaultMs)) return;
    if (this.#stopped) return;
    this.#options.log.warn('Redis has not answered for a while; opening a new connection');
    this.#silentSinceMs = undefined;
    this.#client.destroy();
    this.#client = newClient(this.#options);
    void this.#connected();
  }

  /** The client tries for ever; only destroying it ends the wait, and that is no fault. */
  async #connected(): Promise<void> {
    await this.#client.connect().catch((error: unknown) => this.#options.log.debug({ err: error }, 'A Redis connection was given up'));
  }
}
