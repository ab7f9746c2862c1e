/** The gate that the configuration asks for: in this process, or Redis with this process to fall back on. */
import type { Clock } from '@store/db';
import type { Log } from '@store/service';
import type { Gate } from './gate.ts';
import { InProcessGate } from './in-process.ts';
import { openRedisGate } from './redis.ts';
import { GateWithFallback } from './with-fallback.ts';

export async function openGate(redisUrl: string, clock: Clock, log: Log): Promise<Gate> {
  const local = new InProcessGate(clock);
  if (redisUrl === '') return local;
  return new GateWithFallback({ gate: await openRedisGate({ url: redisUrl, log }), local, log });
}
