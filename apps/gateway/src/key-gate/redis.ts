/** The key gate of many processes: one atomic Redis call per request, which answers within its timeout or rejects. */
import type { Clock } from '@store/db';
import type { Log } from '@store/service';
import type { KeyRecord } from '../keys/key-record.ts';
import { type Admission, type KeyGate, type Timings, timings } from './key-gate.ts';
import type { RedisAddress } from './redis-address.ts';
import { newClient, type RedisConnection } from './redis-client.ts';
import { keysOf, newScripts, noLease, type Reply, type Script } from './redis-scripts.ts';
import { SignedRecords } from './signed-record.ts';
import { NoAnswer, withReplyTimeout } from './with-reply-timeout.ts';

export interface RedisGateOptions extends RedisAddress {
  log: Log;
  clock: Clock;
  /** The newest pepper, which signs records: unsigned data from Redis is not trusted. */
  pepper: Buffer;
  /** Redis may have lost tombstones: older remembered records must not be used. */
  onMemoryLost?: () => void;
  /** Longest wait for one answer, while this process's event loop runs. */
  timeoutMs?: number;
  /** A connection without an answer for this long is replaced: its peer may have vanished. */
  deafAfterMs?: number;
  times?: Timings;
  /** Shared by the gates of a cluster's masters. */
  leases?: Leases;
}

/** Of this process: the time of its newest lease, by the clock of the Redis that gave it. */
export interface Leases {
  newestMs: number;
}

const timeoutDefaultMs = 50;
/** A read of the database that takes longer than this is not remembered. */
const leaseMs = 10_000;
const microsecondsPerMs = 1_000;
const connectWaitMs = 1_000;
const deafAfterDefaultMs = 3_000;
/** A record is rejected when its writer's clock and this one differ by more than this. */
const clockSkewMs = 5_000;
const sayForgedEveryMs = 60_000;

/** Connects, or continues without a connection after a second: the client keeps trying. */
export async function openRedisKeyGate(options: RedisGateOptions): Promise<RedisGate> {
  const keyGate = new RedisGate(options);
  await keyGate.connect(connectWaitMs);
  return keyGate;
}

export class RedisGate implements KeyGate {
  readonly #options: RedisGateOptions;
  readonly #times: Timings;
  readonly #records: SignedRecords;
  readonly #scripts = newScripts();
  /** This process's scripts are loaded in Redis. */
  #wasLoaded = false;
  #loading: Promise<void> | undefined;
  #saidForgedAtMs = Number.NEGATIVE_INFINITY;
  /** Leases up to this time are from before Redis lost its data. */
  #leasesFromMs = 0;
  readonly #leases: Leases;
  readonly #open: () => RedisConnection;
  #client: RedisConnection;
  /** When the oldest unanswered call was written; undefined: every call was answered. */
  #silentSinceMs: number | undefined;
  #stopped = false;

  constructor(options: RedisGateOptions, open: () => RedisConnection = () => newClient(options, options.log)) {
    this.#options = options;
    this.#times = options.times ?? timings;
    this.#records = new SignedRecords(options.pepper);
    this.#leases = options.leases ?? { newestMs: 0 };
    this.#open = open;
    this.#client = open();
  }

  /** Starts to connect; resolves when connected, or after the wait, with the client still trying. */
  async connect(waitMs: number): Promise<void> {
    await withReplyTimeout(waitMs, this.#connected()).catch(() => this.#options.log.warn('Redis does not answer yet; starting without it'));
  }

  async admit(hash: string, mayRead = true): Promise<Admission> {
    const limits = [String(this.#times.windowMs), mayRead ? String(leaseMs) : '0'];
    return this.#admission(hash, await this.#run(this.#scripts.admit, hash, limits, limits));
  }

  async remember(hash: string, record: KeyRecord, version: number): Promise<Admission> {
    const { windowMs, recordKeptMs } = this.#times;
    const text = this.#records.sign(hash, record, this.#options.clock.now().getTime());
    const underLease = (lease: string) => [String(windowMs), lease, text, String(recordKeptMs), record.revoked ? '1' : '0'];
    const lease = version / microsecondsPerMs <= this.#leasesFromMs ? noLease : String(version);
    // A lease in a restored Redis may be of a read from before a revocation that was lost.
    return this.#admission(hash, await this.#run(this.#scripts.remember, hash, underLease(lease), underLease(noLease)));
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

  async revoke(hash: string): Promise<void> {
    const [tombstone] = keysOf(hash);
    await this.#ask((client) => client.set(tombstone, '1'));
  }

  async unrevoke(hash: string): Promise<void> {
    const [tombstone] = keysOf(hash);
    await this.#ask((client) => client.del([tombstone]));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#client.destroy();
  }

  #admission(hash: string, [revoked, text, lease, count, markLeftMs, nowMs]: Reply): Admission {
    this.#leases.newestMs = Math.max(this.#leases.newestMs, Number(lease) / microsecondsPerMs);
    return {
      record: text === null ? undefined : this.#believed(hash, text),
      version: Number(lease),
      revoked: revoked === 1,
      count,
      completedLately: markLeftMs >= 0,
      markStale: markLeftMs <= this.#times.completedLatelyMs - this.#times.markFreshMs,
      nowMs,
    };
  }

  /** A record that does not verify, or was written too long ago to be still in Redis, counts as absent. */
  #believed(hash: string, text: string): KeyRecord | undefined {
    const signed = this.#records.verify(hash, text);
    if (!signed) return this.#saidForged();
    const ageMs = this.#options.clock.now().getTime() - signed.writtenAtMs;
    return ageMs <= this.#times.recordKeptMs + clockSkewMs ? signed.record : undefined;
  }

  #saidForged(): undefined {
    if (performance.now() - this.#saidForgedAtMs < sayForgedEveryMs) return;
    this.#saidForgedAtMs = performance.now();
    this.#options.log.error('A record in Redis is not signed by a gateway and is ignored');
  }

  /** Runs a script; with the other values when Redis does not know it, and so may have lost data. */
  async #run(script: Script, hash: string, values: string[], valuesAfterLoss: string[]): Promise<Reply> {
    const keys = keysOf(hash);
    return this.#ask(async (client) => {
      try {
        return (await client.evalSha(script.sha, { keys, arguments: values })) as Reply;
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      }
      await this.#loaded(client);
      return (await client.evalSha(script.sha, { keys, arguments: valuesAfterLoss })) as Reply;
    });
  }

  /** Loads the scripts into Redis; concurrent calls that found them missing share the work. */
  #loaded(client: RedisConnection): Promise<void> {
    this.#loading ??= this.#load(client).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(client: RedisConnection): Promise<void> {
    this.#options.onMemoryLost?.();
    if (this.#wasLoaded) this.#options.log.warn('Redis lost its data; cached records from before are ignored');
    this.#wasLoaded = true;
    const texts = Object.values(this.#scripts).map(({ text }) => text);
    const [[seconds, microseconds]] = await Promise.all([client.time(), ...texts.map((text) => client.scriptLoad(text))]);
    const loadedAtMs = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / microsecondsPerMs);
    // The clock of this Redis may be behind that of the one before it.
    this.#leasesFromMs = Math.max(loadedAtMs, this.#leases.newestMs);
  }

  /** node-redis limits only the wait before a command is written, so a hung server needs a timeout here. */
  async #ask<T>(command: (client: RedisConnection) => Promise<T>): Promise<T> {
    try {
      const answer = await withReplyTimeout(this.#options.timeoutMs ?? timeoutDefaultMs, command(this.#client));
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
    this.#client = this.#open();
    void this.#connected();
  }

  /** The client retries forever; destroying it ends that, and the resulting rejection is not a fault. */
  async #connected(): Promise<void> {
    await this.#client.connect().catch((error: unknown) => this.#options.log.debug({ err: error }, 'A Redis connection was given up'));
  }
}
