/** A limit per address on 401s (D11), checked before PostgreSQL is asked for a key or session that was not valid lately. */
import { BlockList } from 'node:net';
import type { Clock } from '@store/db';
import { type Problem, rateLimited } from '@store/problem';
import { addressBlock } from '../address-block.ts';
import { windowMs } from '../key-gate/key-gate.ts';
import { windowEnd } from '../key-gate/rate-limit.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const addressesMax = 100_000;
const knownMax = 10_000;

/** Drops the oldest entry when it is full: unauthenticated clients can add entries. */
export class BoundedMap<Value> extends Map<string, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: string, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#max) this.delete(this.keys().next().value!);
    return this;
  }
}

export class UnauthorizedFlood {
  readonly #clock: Clock;
  readonly #limit: number;
  #window = 0;
  readonly #counts = new BoundedMap<number>(addressesMax);
  /** Lookups in flight by address; each may become a 401. At most as many as there are connections. */
  readonly #underWay = new Map<string, number>();
  /** Hashes of keys and sessions that were valid when this process last checked them. */
  readonly #known = new BoundedMap<true>(knownMax);

  /** `limit`: 401s per address and minute. */
  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Counts one 401; returns the 429 that replaces it when the address has exceeded its limit in this minute. */
  count(ip: string): Problem | undefined {
    if (isLoopback(ip)) return undefined;
    const counts = this.#countsOfMinute();
    const address = addressBlock(ip);
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count > this.#limit ? this.#tooMany() : undefined;
  }

  /** Looks a hash up in the database; throws the 429 instead when the address has no 401s left. */
  async lookUp<Found>(
    ip: string,
    hash: string,
    find: () => Promise<Found | undefined>,
    isGood: (found: Found) => boolean = () => true,
  ): Promise<Found | undefined> {
    const isExempt = this.#known.get(hash) || isLoopback(ip);
    const found = isExempt ? await find() : await this.#counted(addressBlock(ip), find);
    if (found && isGood(found)) this.#known.set(hash, true);
    else this.#known.delete(hash);
    return found;
  }

  mayLookUp(ip: string, hash: string): boolean {
    return this.#known.get(hash) === true || isLoopback(ip) || this.#hasLeft(addressBlock(ip));
  }

  #hasLeft(address: string): boolean {
    return (this.#countsOfMinute().get(address) ?? 0) + (this.#underWay.get(address) ?? 0) < this.#limit;
  }

  async #counted<Found>(address: string, find: () => Promise<Found>): Promise<Found> {
    if (!this.#hasLeft(address)) throw this.#tooMany();
    const underWay = this.#underWay.get(address) ?? 0;
    this.#underWay.set(address, underWay + 1);
    try {
      return await find();
    } finally {
      const left = this.#underWay.get(address)! - 1;
      if (left > 0) this.#underWay.set(address, left);
      else this.#underWay.delete(address);
    }
  }

  #countsOfMinute(): BoundedMap<number> {
    const window = Math.floor(this.#clock.now().getTime() / windowMs);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    return this.#counts;
  }

  #tooMany(): Problem {
    const now = this.#clock.now();
    return rateLimited({ limit: this.#limit, now, until: windowEnd(now.getTime()) });
  }
}

function isLoopback(ip: string): boolean {
  return loopback.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4');
}
