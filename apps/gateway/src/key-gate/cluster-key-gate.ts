/** The key gate on a Redis Cluster: each master is lost and used again by itself, while the keys of the others are counted as before. */
import type { KeyRecord } from '../keys/key-record.ts';
import type { InProcessGate } from './in-process.ts';
import type { Admission, KeyGate } from './key-gate.ts';
import { type Leases, RedisGate, type RedisGateOptions } from './redis.ts';
import { RedisCluster } from './redis-cluster.ts';
import { type GateCounts, KeyGateWithFallback } from './with-fallback.ts';
import { withReplyTimeout } from './with-reply-timeout.ts';

interface ClusterGateOptions extends RedisGateOptions {
  /** Counts of this process, used for the keys of masters that are away. */
  local: InProcessGate;
}

interface Shard {
  redis: RedisGate;
  gate: KeyGateWithFallback;
}

/** How long a start waits for the cluster before it continues without. */
const connectWaitMs = 1_000;
/** No server has this address: it means the cluster while none of its servers was reached. */
const nowhere = '';

/** Connects, or continues without a connection after a second: the client keeps trying. */
export async function openClusterKeyGate(options: ClusterGateOptions): Promise<ClusterKeyGate> {
  const keyGate = new ClusterKeyGate(options);
  await keyGate.connect(connectWaitMs);
  return keyGate;
}

export class ClusterKeyGate implements KeyGate {
  readonly counts: GateCounts = { failures: 0, fallbacks: 0, opened: 0 };
  readonly #leases: Leases = { newestMs: 0 };
  readonly #options: ClusterGateOptions;
  readonly #cluster: RedisCluster;
  readonly #shards = new Map<string, Shard>();

  constructor(options: ClusterGateOptions) {
    this.#options = options;
    this.#cluster = new RedisCluster({ ...options, onMasters: (masters) => this.#keepOnly(masters) });
  }

  async connect(waitMs: number): Promise<void> {
    await withReplyTimeout(waitMs, this.#cluster.connect()).catch(() =>
      this.#options.log.warn('Not every master of the Redis cluster answers yet; starting without it'),
    );
  }

  admit(hash: string, mayRead?: boolean): Promise<Admission> {
    return this.#gateOf(hash).admit(hash, mayRead);
  }

  remember(hash: string, record: KeyRecord, version: number): Promise<Admission> {
    return this.#gateOf(hash).remember(hash, record, version);
  }

  complete(hash: string): Promise<void> {
    return this.#gateOf(hash).complete(hash);
  }

  async forget(hashes: string[]): Promise<void> {
    const byGate = Map.groupBy(hashes, (hash) => this.#gateOf(hash));
    await Promise.all(Array.from(byGate, ([gate, ofGate]) => gate.forget(ofGate)));
  }

  revoke(hash: string): Promise<void> {
    return this.#gateOf(hash).revoke(hash);
  }

  unrevoke(hash: string): Promise<void> {
    return this.#gateOf(hash).unrevoke(hash);
  }

  async stop(): Promise<void> {
    await Promise.all(Array.from(this.#shards.values(), ({ gate }) => gate.stop()));
    this.#cluster.destroy();
  }

  #gateOf(hash: string): KeyGate {
    const address = this.#cluster.masterOf(hash) ?? nowhere;
    const shard = this.#shards.get(address) ?? this.#newShard(address);
    return shard.gate;
  }

  #newShard(address: string): Shard {
    const redis = new RedisGate({ ...this.#options, leases: this.#leases }, () => this.#cluster.connectionTo(address));
    const { local, log } = this.#options;
    const shard = { redis, gate: new KeyGateWithFallback({ keyGate: redis, local, log, counts: this.counts }) };
    this.#shards.set(address, shard);
    return shard;
  }

  /** A master without slots gets new scripts if it becomes one again: it may lack tombstones, and only unknown scripts reveal that. */
  #keepOnly(masters: Set<string>): void {
    for (const [address, { redis }] of this.#shards) {
      if (masters.has(address)) continue;
      this.#options.log.warn({ address }, 'A Redis server is no longer a master of the cluster');
      this.#shards.delete(address);
      void redis.stop();
    }
  }
}
