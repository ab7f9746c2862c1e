/** The configured key gate: in this process, or Redis (one server or a cluster) with this process as fallback. */
import { openClusterKeyGate } from './cluster-key-gate.ts';
import { InProcessGate } from './in-process.ts';
import type { KeyGate } from './key-gate.ts';
import { openRedisKeyGate, type RedisGateOptions } from './redis.ts';
import { isCluster } from './redis-client.ts';
import { type GateCounts, KeyGateWithFallback } from './with-fallback.ts';

/** An empty `url`: no Redis. */
export async function openKeyGate(options: RedisGateOptions): Promise<KeyGate & { counts?: GateCounts }> {
  const local = new InProcessGate(options.clock);
  if (options.url === '') return local;
  if (isCluster(options.url)) return openClusterKeyGate({ ...options, local });
  return new KeyGateWithFallback({ keyGate: await openRedisKeyGate(options), local, log: options.log });
}
