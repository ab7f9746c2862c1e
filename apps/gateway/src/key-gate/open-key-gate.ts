/** The key gate that the configuration asks for: in this process, or Redis with this process to fall back on. */

import { InProcessGate } from './in-process.ts';
import type { KeyGate } from './key-gate.ts';
import { openRedisKeyGate, type RedisGateOptions } from './redis.ts';
import { KeyGateWithFallback } from './with-fallback.ts';

/** An empty `url`: there is no Redis. */
export async function openKeyGate(options: RedisGateOptions): Promise<KeyGate> {
  const local = new InProcessGate(options.clock);
  if (options.url === '') return local;
  return new KeyGateWithFallback({ keyGate: await openRedisKeyGate(options), local, log: options.log });
}
