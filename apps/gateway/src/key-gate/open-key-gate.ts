/** The configured key gate: in this process, or Redis with this process as fallback. */

import { InProcessGate } from './in-process.ts';
import type { KeyGate } from './key-gate.ts';
import { openRedisKeyGate, type RedisGateOptions } from './redis.ts';
import { KeyGateWithFallback } from './with-fallback.ts';

/** An empty `url`: no Redis. */
export async function openKeyGate(options: RedisGateOptions): Promise<KeyGate> {
  const local = new InProcessGate(options.clock);
  if (options.url === '') return local;
  return new KeyGateWithFallback({ keyGate: await openRedisKeyGate(options), local, log: options.log });
}
