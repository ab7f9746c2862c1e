/**
 * The pause between two batches of a backlog, which shares the machine with current requests: a third of the time, and more the busier
 * the machine is (docs/decisions/0128).
 */
import { setTimeout as wait } from 'node:timers/promises';

/** Pause per millisecond of a batch, whose events PostgreSQL, Kafka and all consumers then handle on the same machine. */
const perBatchMs = 0.5;
/** A batch may take this many times the quickest one before the relay pauses for the excess. */
const slowAt = 3;
/** Pause per millisecond that this process's timers are late: what waits in its loop runs first. */
const perLateMs = 3;
const pauseMaxMs = 250;
/** The quickest batch is forgotten by so much with each batch, so that it follows a server that became slower. */
const forget = 1.01;

export class RelayPace {
  readonly #lateness: () => Promise<number>;
  #quickestMs = Number.POSITIVE_INFINITY;

  /** `lateness`: how late a timer of this process fires now, in milliseconds. */
  constructor(lateness: () => Promise<number> = timerLateness) {
    this.#lateness = lateness;
  }

  /** The pause after a batch that took so long to read, publish and delete. */
  async pauseMs(tookMs: number): Promise<number> {
    this.#quickestMs = Math.min(tookMs, this.#quickestMs * forget);
    const slowMs = Math.max(0, tookMs - slowAt * this.#quickestMs);
    return Math.min(pauseMaxMs, perBatchMs * tookMs + slowMs + perLateMs * (await this.#lateness()));
  }
}

async function timerLateness(): Promise<number> {
  const startedAtMs = performance.now();
  await wait(1);
  return Math.max(0, performance.now() - startedAtMs - 1);
}
