/**
 * The POSTs in flight of this process, pings included. A place is taken before the lease, so that nothing is leased that cannot be sent.
 * Slots go store by store in turn (D256); subscriptions that are not known to answer share ten POSTs per store and host
 * (docs/decisions/0256).
 */
import { Shares } from '@store/shares';
import { canonicalHost } from '../receivers/address-guard.ts';
import { type AttemptOutcome, isSuccess } from './schedule.ts';

/** Of one store to one host and port, by subscriptions that are not known to answer. */
export const hostMax = 10;
/** A receiver that is asked too much answers slowly, before it fails. */
const quickMs = 1_000;
/** Subscriptions remembered as answering; one that is forgotten shares its host's ten until its next answer. */
const answeringMax = 10_000;
const pingsShare = 1 / 10;

/** What keeps a delivery back until an attempt of the same ends: its subscription, its host, or the slots of this process. */
export type Limit = `subscription ${number}` | `host ${string}` | 'slots';

/** Whether several subscriptions share what keeps a delivery back. */
export const isShared = (limit: Limit | undefined): boolean => limit !== undefined && !limit.startsWith('subscription');

export interface Receiver {
  id: number;
  storeId: number;
  url: string;
}

/** A subscription with deliveries that are due. */
export interface Candidate extends Receiver {
  due: number;
  /** Null: not known. */
  dueSince: Date | null;
  /** How many more it may have in flight, in all processes. */
  free: number;
}

export interface Place {
  subscriptionId: number;
  storeId: number;
  host: string;
  /** It is one of its host's ten. */
  isOfHost: boolean;
}

export interface Taken {
  places: Place[];
  /** Of each candidate what keeps back more than its places; undefined: no more is due, and it could have more. */
  left: Map<number, Limit | undefined>;
}

/** The limits that are free again once the POST of this place has ended. */
export const limitsOf = ({ subscriptionId, host, isOfHost }: Place): Limit[] => [
  'slots',
  `subscription ${subscriptionId}`,
  ...(isOfHost ? [`host ${host}` as const] : []),
];

type Wanted = Pick<Candidate, 'id' | 'storeId' | 'free'> & { host: string };

export class PostLimiter {
  readonly #slots: Shares;
  /** POSTs in flight that are among their host's ten. */
  readonly #ofHost = new Map<string, number>();
  /** Subscriptions whose last POST was accepted quickly, with the host that did. */
  readonly #answering = new Map<number, string>();
  #pings = 0;

  constructor(inFlightMax: number) {
    this.#slots = new Shares(inFlightMax);
  }

  get size(): number {
    return this.#slots.size;
  }

  get isFull(): boolean {
    return this.#slots.inUse >= this.#slots.size;
  }

  /** Takes places one by one: for the store that holds least, of it for the subscription with the fewest in flight, whose delivery waits longest. */
  take(candidates: Candidate[]): Taken {
    const places: Place[] = [];
    const left: Taken['left'] = new Map();
    const open = new Set(candidates.map((one) => ({ ...one, host: hostOf(one) })));
    for (let one = this.#next(open); one; one = this.#next(open)) {
      const got = one.due > 0 || one.free <= 0 ? this.#hold(one) : undefined;
      if (typeof got === 'object') {
        places.push(got);
        one.due -= 1;
        one.free -= 1;
      } else {
        left.set(one.id, got);
        open.delete(one);
      }
    }
    return { places, left };
  }

  /** `outcome`: how the POST ended; absent if there was none. */
  end({ storeId, host, isOfHost, subscriptionId }: Place, outcome?: AttemptOutcome): void {
    this.#slots.give(storeId);
    if (isOfHost) this.#count(host, -1);
    if (!outcome) return;
    this.#answering.delete(subscriptionId);
    if (!isSuccess(outcome) || outcome.durationMs > quickMs) return;
    this.#answering.set(subscriptionId, host);
    if (this.#answering.size > answeringMax) this.#answering.delete(this.#answering.keys().next().value!);
  }

  /** Runs a ping, one of its host's ten and of the tenth of the slots that pings may have; undefined: there is no place, and it was not started. */
  async ping<Result>(receiver: Receiver, ping: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#pings >= Math.max(1, Math.floor(this.size * pingsShare))) return undefined;
    const place = this.#hold({ ...receiver, host: hostOf(receiver), free: 1 }, false);
    if (typeof place === 'string') return undefined;
    this.#pings += 1;
    try {
      return await ping();
    } finally {
      this.#pings -= 1;
      this.end(place);
    }
  }

  #next<One extends Candidate>(open: Set<One>): One | undefined {
    let first: One | undefined;
    for (const one of open) if (!first || this.#isBefore(one, first)) first = one;
    return first;
  }

  #isBefore(one: Candidate, other: Candidate): boolean {
    const held = this.#slots.heldBy(one.storeId) - this.#slots.heldBy(other.storeId);
    if (held !== 0) return held < 0;
    if (one.free !== other.free) return one.free > other.free;
    return Number(one.dueSince) < Number(other.dueSince);
  }

  #hold({ id, storeId, host, free }: Wanted, isAnswering = this.#answering.get(id) === host): Place | Limit {
    if (free <= 0) return `subscription ${id}`;
    const isOfHost = !isAnswering;
    if (isOfHost && (this.#ofHost.get(host) ?? 0) >= hostMax) return `host ${host}`;
    if (!this.#slots.takeFree(storeId)) return 'slots';
    if (isOfHost) this.#count(host, 1);
    return { subscriptionId: id, storeId, host, isOfHost };
  }

  #count(host: string, change: 1 | -1): void {
    const count = (this.#ofHost.get(host) ?? 0) + change;
    if (count > 0) this.#ofHost.set(host, count);
    else this.#ofHost.delete(host);
  }
}

/** By store as well: the receivers of one store must not keep back another's at the same host. */
function hostOf({ storeId, url }: Receiver): string {
  const { hostname, port } = new URL(url);
  return `${storeId} ${canonicalHost(hostname)}:${port}`;
}
