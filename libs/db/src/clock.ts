/** The one source of time (D195): PostgreSQL's clock, so that processes whose own clocks differ agree on windows and due times. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

const measureEveryMs = 30_000;
/** A reading that took longer is too imprecise; it happens while the network or PostgreSQL restarts. */
const roundTripMaxMs = 200;
/** Readings at the start; the fastest is used. */
const firstReadings = 5;

/** From the monotonic clock and its measured offset: setting this machine's wall clock moves no lease, window or due time. */
export class ServerClock implements Clock {
  readonly #askServerMs: () => Promise<number>;
  readonly #monotonicMs: () => number;
  #offsetMs = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(askServerMs: () => Promise<number>, monotonicMs: () => number) {
    this.#askServerMs = askServerMs;
    this.#monotonicMs = monotonicMs;
  }

  static async start(askServerMs: () => Promise<number>, monotonicMs = () => performance.now()): Promise<ServerClock> {
    const clock = new ServerClock(askServerMs, monotonicMs);
    await clock.#begin();
    clock.#timer = setInterval(() => {
      // A missed reading keeps the last offset; the next one corrects it.
      clock.measure().catch((error: unknown) => process.emitWarning(`The server's time could not be read: ${String(error)}`));
    }, measureEveryMs);
    clock.#timer.unref();
    return clock;
  }

  now(): Date {
    return new Date(this.#monotonicMs() + this.#offsetMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Takes one reading; a slow one, or one consistent with the offset, changes nothing. */
  async measure(): Promise<void> {
    const { offsetMs, roundTripMs } = await this.#read();
    if (roundTripMs > roundTripMaxMs || Math.abs(offsetMs - this.#offsetMs) <= roundTripMs / 2) return;
    this.#offsetMs = offsetMs;
  }

  async #begin(): Promise<void> {
    let best = await this.#read();
    for (let n = 1; n < firstReadings; n++) {
      const next = await this.#read();
      if (next.roundTripMs < best.roundTripMs) best = next;
    }
    this.#offsetMs = best.offsetMs;
  }

  /** The server answered somewhere between question and answer: the middle is off by half the round trip at most. */
  async #read(): Promise<{ offsetMs: number; roundTripMs: number }> {
    const askedMs = this.#monotonicMs();
    const serverMs = await this.#askServerMs();
    const answeredMs = this.#monotonicMs();
    return { offsetMs: serverMs - (askedMs + answeredMs) / 2, roundTripMs: answeredMs - askedMs };
  }
}
