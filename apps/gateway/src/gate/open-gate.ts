/** The gate that the configuration asks for: in this process, or Redis with this process to fall back on. */
import type { Gate } from './gate.ts';
import { InProcessGate } from './in-process.ts';
import { openRedisGate, type RedisGateOptions } from './redis.ts';
import { GateWithFallback } from './with-fallback.ts';

/** An empty `url`: there is no Redis. */
export async function openGate(options: RedisGateOptions): Promise<Gate> {
  const local = new InProcessGate(options.clock);
  if (options.url === '') return local;
  return new GateWithFallback({ gate: await openRedisGate(options), local, log: options.log });
}
