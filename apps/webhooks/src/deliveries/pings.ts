/**
 * The test pings of this process. They count among its POSTs in flight (WEBHOOK_IN_FLIGHT_MAX), and a tenth of those is the
 * most that they take: a ping may wait 15 s for its receiver, and deliveries must not stand behind it.
 */
export class Pings {
  #inFlight = 0;
  readonly #inFlightMax: number;
  readonly #deliveries: () => number;

  /** `deliveries` says how many deliveries are in flight. */
  constructor(inFlightMax: number, deliveries: () => number) {
    this.#inFlightMax = inFlightMax;
    this.#deliveries = deliveries;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Runs a ping; undefined: there is no room for one now, and it was not started. */
  async run<Result>(ping: () => Promise<Result>): Promise<Result | undefined> {
    const isFull = this.#inFlight + this.#deliveries() >= this.#inFlightMax;
    if (isFull || this.#inFlight >= Math.max(1, Math.floor(this.#inFlightMax / 10))) return undefined;
    this.#inFlight += 1;
    try {
      return await ping();
    } finally {
      this.#inFlight -= 1;
    }
  }
}
