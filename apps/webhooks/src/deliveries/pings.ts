/**
 * The test pings of this process. They count among its POSTs in flight (WEBHOOK_IN_FLIGHT_MAX) and take at most a tenth
 * of those: a ping may wait 15 s for its receiver, and must not delay deliveries.
 */
export class Pings {
  #inFlight = 0;
  readonly #inFlightMax: number;
  readonly #deliveries: () => number;

  /** `deliveries` returns the number of deliveries in flight. */
  constructor(inFlightMax: number, deliveries: () => number) {
    this.#inFlightMax = inFlightMax;
    this.#deliveries = deliveries;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Runs a ping; undefined: there is no free slot, and it was not started. */
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
