/** A longer timer would end at once. */
const timerMaxMs = 2 ** 31 - 1;

/**
 * The connections of one process, handed out in the order of asking. Under a burst a request waits as
 * long as its caller does: a fixed wait would refuse what could still be answered, or begin what nobody waits for.
 */
export class ConnectionLimiter {
  #free: number;
  /** In the order of asking; each is told once that it has a place. */
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a place, which must be given back; rejects when none was free until then. */
  async take(untilMs: number): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const called = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(
        () => {
          this.#waiting.delete(called);
          reject(new PoolTimeout());
        },
        Math.min(Math.max(0, untilMs - Date.now()), timerMaxMs),
      );
      this.#waiting.add(called);
    });
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

/** No connection came free in time. */
export class PoolTimeout extends Error {
  constructor() {
    super('No database connection came free in time');
  }
}
