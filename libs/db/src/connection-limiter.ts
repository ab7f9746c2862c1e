/** Node fires a longer timer at once. */
const timerMaxMs = 2 ** 31 - 1;

/**
 * Limits the connections of one process and grants them in the order of requests. Under a burst a request waits until its
 * caller's deadline: a fixed wait would refuse what could still be answered, or start work whose caller is gone.
 */
export class ConnectionLimiter {
  readonly max: number;
  #free: number;
  #timeouts = 0;
  /** In the order of requests; each is called once, when a connection is granted. */
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.max = count;
    this.#free = count;
  }

  get inUse(): number {
    return this.max - this.#free;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Requests that got no connection in time, since the start. */
  get timeouts(): number {
    return this.#timeouts;
  }

  /** Resolves with a connection's slot, which must be released; rejects when none was free in time. */
  async take(untilMs: number): Promise<void> {
    if (this.takeFree()) return;
    await new Promise<void>((resolve, reject) => {
      const called = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(
        () => {
          this.#waiting.delete(called);
          this.#timeouts += 1;
          reject(new PoolTimeout());
        },
        Math.min(Math.max(0, untilMs - Date.now()), timerMaxMs),
      );
      this.#waiting.add(called);
    });
  }

  /** Takes a slot that is free now. */
  takeFree(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  give(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** No connection became free in time. */
export class PoolTimeout extends Error {
  constructor() {
    super('No database connection came free in time');
  }
}
