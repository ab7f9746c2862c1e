/** A separate limit per address on 401s only (decision D11): it can never hit a valid key. */
import { BlockList } from 'node:net';
import type { Clock } from '@store/db';
import { windowMs } from '../gate/gate.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export class UnauthorizedFlood {
  readonly #clock: Clock;
  readonly #limit: number;
  #window = 0;
  #counts = new Map<string, number>();

  /** `limit`: 401s per address and minute. */
  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Counts one 401; the verdict of a 429 when the address has had too many in this minute. */
  count(ip: string): { limit: number; resetSeconds: number; retryAfterSeconds: number } | undefined {
    if (isLoopback(ip)) return undefined;
    const nowMs = this.#clock.now().getTime();
    const window = Math.floor(nowMs / windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(ip) ?? 0) + 1;
    this.#counts.set(ip, count);
    if (count <= this.#limit) return undefined;
    const endMs = (window + 1) * windowMs;
    return { limit: this.#limit, resetSeconds: endMs / 1000, retryAfterSeconds: Math.max(1, Math.ceil((endMs - nowMs) / 1000)) };
  }
}

function isLoopback(ip: string): boolean {
  return loopback.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4');
}
