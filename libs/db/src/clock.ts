/**
 * The one source of time (decision D195): the server's clock, so that processes whose own clocks
 * differ agree on windows, expiry and due times. Tests inject a clock that they set.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is told otherwise. */
export class SetClock implements Clock {
  #ms: number;
  constructor(at: string | Date) {
    this.#ms = new Date(at).getTime();
  }
  now(): Date {
    return new Date(this.#ms);
  }
  set(at: string | Date): void {
    this.#ms = new Date(at).getTime();
  }
  advance(ms: number): void {
    this.#ms += ms;
  }
}

const syncEveryMs = 30_000;

/** This process's clock corrected by the offset to a server's, measured now and every 30 s. */
export async function serverClock(askServerMs: () => Promise<number>): Promise<Clock & { stop(): void }> {
  let offsetMs = 0;
  const sync = async () => {
    const before = Date.now();
    const serverMs = await askServerMs();
    const after = Date.now();
    offsetMs = serverMs - (before + after) / 2;
    if (Math.abs(offsetMs) < after - before + 2) offsetMs = 0;
  };
  await sync();
  const timer = setInterval(() => {
    // A missed reading keeps the last offset; the next one corrects it.
    sync().catch((error: unknown) => process.emitWarning(`The server's time could not be read: ${String(error)}`));
  }, syncEveryMs);
  timer.unref();
  return { now: () => new Date(Date.now() + offsetMs), stop: () => clearInterval(timer) };
}
