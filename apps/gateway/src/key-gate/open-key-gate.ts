/** The configured key gate: in this process, or Redis (one server or a cluster) with this process as fallback. */
import { InProcessGate } from './in-process.ts';
import type { KeyGate } from './key-gate.ts';
import type { RedisGateOptions } from './redis.ts';
import { isCluster } from './redis-address.ts';
import { type GateCounts, KeyGateWithFallback } from './with-fallback.ts';

/** An empty `url`: no Redis, whose client is then not loaded. */
export async function openKeyGate(options: RedisGateOptions): Promise<KeyGate & { counts?: GateCounts }> {
  const local = new InProcessGate(options.clock);
  if (options.url === '') return local;
  if (isCluster(options.url)) {
    const { openClusterKeyGate } = await import('./cluster-key-gate.ts');
    return openClusterKeyGate({ ...options, local });
  }
  const { openRedisKeyGate } = await import('./redis.ts');
  return new KeyGateWithFallback({ keyGate: await openRedisKeyGate(options), local, log: options.log });
}
