/**
 * Hands out a limited resource (connections, calls, slots, bytes) so that no holder blocks another (D256). A holder is a store, or all
 * anonymous callers together. Each may hold a quarter. More than that is granted only while nobody below a quarter waits, and while a
 * quarter of the whole stays free for those who come next. Of several that wait, the one that holds least is next. A line that is too
 * long refuses the holder that has most, never a bystander.
 */
export type Holder = number | string;

interface Waiting {
  amount: number;
  grant: () => void;
  refuse: (reason: unknown) => void;
}

/** The line was too long, and this was the newest request of the holder that has most. */
export class LineFull extends Error {
  constructor() {
    super('others come first');
  }
}

const shareOfWhole = 1 / 4;

export class Shares {
  #size: number;
  #waitingMax: number;
  readonly #held = new Map<Holder, number>();
  /** By holder, each in the order of requests. The holder served last is at the end. */
  readonly #waiting = new Map<Holder, Set<Waiting>>();
  #free: number;
  #waitingCount = 0;

  /** `size`: how much there is, at least 1. `waitingMax`: requests that may wait. */
  constructor(size: number, waitingMax = Number.POSITIVE_INFINITY) {
    this.#size = size;
    this.#waitingMax = waitingMax;
    this.#free = size;
  }

  get size(): number {
    return this.#size;
  }

  /** Amounts held beyond a smaller size are not taken back. */
  resize(size: number, waitingMax = this.#waitingMax): void {
    this.#free += size - this.#size;
    this.#size = size;
    this.#waitingMax = waitingMax;
    this.#grant();
    this.#shorten();
  }

  get inUse(): number {
    return this.size - this.#free;
  }

  /** Requests that wait. */
  get waiting(): number {
    return this.#waitingCount;
  }

  heldBy(holder: Holder): number {
    return this.#held.get(holder) ?? 0;
  }

  /** Requests of this holder that wait. */
  waitingOf(holder: Holder): number {
    return this.#waiting.get(holder)?.size ?? 0;
  }

  /** Takes `amount` if this holder may have it now. */
  takeFree(holder: Holder, amount = 1): boolean {
    if (this.#waiting.has(holder) || !this.#mayHave(holder, amount)) return false;
    this.#take(holder, amount);
    return true;
  }

  /**
   * Resolves once the holder has `amount`, which it must give back; at most `size`. Rejects with the reason of `signal` when that is
   * aborted before, and with `LineFull`.
   */
  async take(holder: Holder, amount = 1, signal?: AbortSignal): Promise<void> {
    if (amount > this.size) throw new Error(`${amount} of ${this.size} cannot be had`);
    signal?.throwIfAborted();
    if (this.takeFree(holder, amount)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { amount, grant: resolve, refuse: reject };
    const aborted = () => {
      this.#leave(holder, waiting);
      reject(signal!.reason);
      this.#grant();
    };
    signal?.addEventListener('abort', aborted, { once: true });
    this.#enter(holder, waiting);
    this.#shorten();
    await promise.finally(() => signal?.removeEventListener('abort', aborted));
  }

  give(holder: Holder, amount = 1): void {
    const left = this.heldBy(holder) - amount;
    if (left > 0) this.#held.set(holder, left);
    else this.#held.delete(holder);
    this.#free += amount;
    this.#grant();
  }

  get #share(): number {
    return Math.max(1, this.#reserve);
  }

  /** The part that stays free for new holders; none of less than four. */
  get #reserve(): number {
    return Math.floor(this.#size * shareOfWhole);
  }

  #mayHave(holder: Holder, amount: number): boolean {
    if (this.#isWithinShare(holder, amount)) return amount <= this.#free && !this.#othersWaitWithinShare(holder);
    return this.#free - amount >= this.#reserve && !this.#othersWaitWithinShare(holder);
  }

  /** A holder that has nothing may take any amount: otherwise what is larger than a quarter would never be granted. */
  #isWithinShare(holder: Holder, amount: number): boolean {
    const held = this.heldBy(holder);
    return held === 0 || held + amount <= this.#share;
  }

  #othersWaitWithinShare(holder: Holder): boolean {
    for (const [other, [first]] of this.#waiting) if (other !== holder && this.#isWithinShare(other, first!.amount)) return true;
    return false;
  }

  #take(holder: Holder, amount: number): void {
    this.#held.set(holder, this.heldBy(holder) + amount);
    this.#free -= amount;
  }

  /** Grants to one holder after another until the next in turn does not fit: a large request is not passed over for ever. */
  #grant(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const [holder, waiting] = next;
      const isWithin = this.#isWithinShare(holder, waiting.amount);
      if (this.#free - waiting.amount < (isWithin ? 0 : this.#reserve)) return;
      this.#leave(holder, waiting);
      const rest = this.#waiting.get(holder);
      if (rest) {
        this.#waiting.delete(holder);
        this.#waiting.set(holder, rest);
      }
      this.#take(holder, waiting.amount);
      waiting.grant();
    }
  }

  /** The first request of the holder that has least; of equals, the one that was served longest ago. Those within their share go first. */
  #next(): [Holder, Waiting] | undefined {
    let best: [Holder, Waiting] | undefined;
    let bestRank = Number.POSITIVE_INFINITY;
    for (const [holder, [first]] of this.#waiting) {
      const rank = this.heldBy(holder) + (this.#isWithinShare(holder, first!.amount) ? 0 : this.size);
      if (rank >= bestRank) continue;
      best = [holder, first!];
      bestRank = rank;
    }
    return best;
  }

  #shorten(): void {
    while (this.#waitingCount > this.#waitingMax) {
      const [holder, line] = this.#largest();
      const newest = [...line].at(-1)!;
      this.#leave(holder, newest);
      newest.refuse(new LineFull());
    }
  }

  /** Of the waiting holders, the one that holds and asks for most. */
  #largest(): [Holder, Set<Waiting>] {
    let largest: [Holder, Set<Waiting>] | undefined;
    let most = 0;
    for (const [holder, line] of this.#waiting) {
      let has = this.heldBy(holder);
      for (const { amount } of line) has += amount;
      if (has <= most) continue;
      most = has;
      largest = [holder, line];
    }
    return largest!;
  }

  #enter(holder: Holder, waiting: Waiting): void {
    const line = this.#waiting.get(holder);
    if (line) line.add(waiting);
    else this.#waiting.set(holder, new Set([waiting]));
    this.#waitingCount += 1;
  }

  #leave(holder: Holder, waiting: Waiting): void {
    const line = this.#waiting.get(holder);
    if (!line?.delete(waiting)) return;
    this.#waitingCount -= 1;
    if (line.size === 0) this.#waiting.delete(holder);
  }
}
