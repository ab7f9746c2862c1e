/**
 * The dispatcher of one process: records results, claims what is due, posts it outside of any
 * transaction, and waits for a notification or its next poll. No state of a delivery is in memory alone: a
 * process that dies leaves leases, which expire.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Webhooks } from '../webhooks.ts';
import { ArrivalClaims } from './arrival-claims.ts';
import { type Claimed, type Claims, claim, leaseMs } from './claim.ts';
import { EndGather } from './end-gather.ts';
import { type Ended, record } from './record.ts';
import { releaseLost } from './release-lost.ts';
import { renewLeases } from './renew-leases.ts';
import { type Limit, limitsOf } from './room.ts';
import { send } from './send.ts';

export interface DispatcherOptions {
  retryWaitsMs: readonly number[];
  pollMs?: number;
  renewEveryMs?: number;
}

const pollDefaultMs = 500;
const renewEveryDefaultMs = leaseMs / 3;
/** After a failure on our side: a broken database is not queried in a tight loop. */
const afterFailureMs = 200;
const busyElsewhereMs = 5;
/** One attempt lasts 15 s at most. */
const drainMaxMs = 18_000;

export class Dispatcher {
  readonly #app: Webhooks;
  readonly #options: DispatcherOptions;
  readonly #inFlight = new Map<number, Claimed>();
  #ended: Ended[] = [];
  #cursor = 0;
  #again = false;
  /** Something may be due that no claim has looked for yet. */
  #due = true;
  /** Subscriptions with more due, and what keeps it back: the end of an attempt makes room for it. */
  readonly #waiting = new Map<number, Limit>();
  readonly #gather = new EndGather(() => this.#goOn());
  #woken = false;
  #wakeUp: (() => void) | undefined;
  #stopped = false;
  #drainUntilMs: number | undefined;
  #running: Promise<void> | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #sweptAtMs = 0;
  /** Claims what a consumer adds in the consumer's transaction. */
  readonly arrivals: ArrivalClaims;

  constructor(app: Webhooks, options: DispatcherOptions) {
    this.#app = app;
    this.#options = options;
    this.arrivals = new ArrivalClaims(app, {
      mayClaim: (count) => this.#running !== undefined && this.#claims && this.#isRoomyWith(count),
      take: (claims) => this.#take(claims),
    });
  }

  start(): void {
    this.#renewal = setInterval(() => void this.#renew(), this.#options.renewEveryMs ?? renewEveryDefaultMs);
    this.#renewal.unref();
    this.#running = this.#run();
  }

  /** Claimed deliveries whose result is not recorded yet. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Notifies the dispatcher that rows may be due. */
  wake(): void {
    this.#due = true;
    this.#goOn();
  }

  #goOn(): void {
    this.#gather.cancel();
    this.#woken = true;
    this.#wakeUp?.();
  }

  /** An attempt has ended; the others in flight may be about to, and are recorded with it. */
  #noteEnd(): void {
    if (this.#ended.length >= this.#inFlight.size) this.#goOn();
    else this.#gather.note();
  }

  /** Posts and records until nothing is due, in a dispatcher that is not started. */
  async drain(): Promise<void> {
    this.#due = true;
    do {
      await this.#turn(true);
      if (this.#inFlight.size > 0 && this.#ended.length === 0) await this.#rest();
    } while (this.#inFlight.size > 0 || this.#ended.length > 0 || this.#again);
  }

  /** Claims nothing more; results are still recorded, and `stop` waits for the rest. */
  stopClaiming(): void {
    this.#drainUntilMs ??= performance.now() + drainMaxMs;
  }

  /** Claims nothing more, waits for attempts in flight and records them. */
  async stop(): Promise<void> {
    this.stopClaiming();
    this.#stopped = true;
    this.#goOn();
    await this.#running;
    while (this.#isBusy && performance.now() < this.#drainUntilMs!) {
      await this.#turn(false);
      if (this.#isBusy && this.#ended.length === 0) await this.#rest();
    }
    clearInterval(this.#renewal);
    // Unfinished ones keep their leases until these expire; another process then sends them again.
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#turn(true);
      if (!this.#stopped) await this.#rest();
    }
  }

  /** One round: record, then claim and post. A failure on our side is logged and retried. */
  async #turn(mayClaim: boolean): Promise<void> {
    this.#woken = false;
    this.#again = false;
    try {
      await this.#recordEnded(mayClaim);
      await this.#sweep();
      if (mayClaim && this.#due) await this.#claim();
    } catch (error) {
      this.#due = true;
      this.#app.log.error({ err: error }, 'The dispatcher failed and tries again');
      await wait(afterFailureMs);
      this.#again = true;
    }
  }

  async #recordEnded(mayClaim: boolean): Promise<void> {
    const batch = this.#ended;
    if (batch.length === 0) return;
    this.#ended = [];
    const waiting = this.#waitingFor(batch);
    const ending = new Set(batch.map(({ claimed }) => claimed.subscriptionId));
    const own = waiting.filter((id) => ending.has(id));
    const refill = own.length > 0 && mayClaim && this.#claims && this.#isRoomyWith(-batch.length) ? own : [];
    const recorded = await record(this.#app, batch, { ...this.#options, refill }).catch((error: unknown) => {
      this.#ended = [...batch, ...this.#ended];
      throw error;
    });
    this.#due ||= recorded.due;
    for (const { claimed } of batch) this.#inFlight.delete(claimed.attemptId);
    if (recorded.refilled) this.#take(recorded.refilled);
    for (const id of waiting) if (!recorded.refilled?.left.has(id) && this.#waiting.delete(id)) this.#due = true;
  }

  /** The subscriptions that had more due, which one of these ends may have kept back. */
  #waitingFor(batch: Ended[]): number[] {
    const gone = new Set(batch.flatMap(({ claimed }) => limitsOf(claimed.place)));
    return [...this.#waiting].filter(([, limit]) => gone.has(limit)).map(([id]) => id);
  }

  /** Whether half of the slots stay free. Else only a claim that asks all subscriptions takes them, so that each gets its turn. */
  #isRoomyWith(count: number): boolean {
    return this.#inFlight.size + count < this.#app.room.size / 2;
  }

  get #isBusy(): boolean {
    return this.#inFlight.size > 0 || this.#ended.length > 0 || this.arrivals.underWay > 0;
  }

  get #claims(): boolean {
    return this.#drainUntilMs === undefined && this.#app.owners.isHeld;
  }

  async #claim(): Promise<void> {
    if (this.#app.room.isFull || !this.#claims) return;
    // Before the claim: what is added while it runs is looked for by the next one.
    this.#due = false;
    const { cursor, ...claims } = await claim(this.#app, this.#cursor);
    this.#cursor = cursor;
    this.#again = claims.again;
    this.#take(claims);
  }

  #take({ claimed, again, left }: Claims): void {
    this.#due ||= again;
    for (const [id, limit] of left) {
      if (limit) this.#waiting.set(id, limit);
      else this.#waiting.delete(id);
    }
    for (const one of claimed) {
      this.#inFlight.set(one.attemptId, one);
      void this.#send(one);
    }
  }

  async #send(claimed: Claimed): Promise<void> {
    const ended = await send(this.#app, claimed);
    this.#app.room.end(claimed.place, ended?.outcome);
    if (ended) this.#ended.push(ended);
    else this.#inFlight.delete(claimed.attemptId);
    this.#noteEnd();
  }

  /** Expired leases: their deliveries are due again. */
  async #sweep(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#sweptAtMs < (this.#options.pollMs ?? pollDefaultMs)) return;
    this.#sweptAtMs = nowMs;
    // Retries become due by time alone, and a notification may be lost.
    this.#due = true;
    await releaseLost(this.#app);
  }

  async #renew(): Promise<void> {
    const tokens = [...this.#inFlight.values()].map((claimed) => claimed.leaseToken);
    if (tokens.length === 0) return;
    const { db, log } = this.#app;
    try {
      await renewLeases(db, tokens);
    } catch (error) {
      log.error({ err: error }, 'Leases could not be renewed; the next renewal tries again');
    }
  }

  #rest(): Promise<void> {
    if (this.#woken) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wakeUp = undefined;
        resolve();
      };
      const timer = setTimeout(done, this.#again ? busyElsewhereMs : (this.#options.pollMs ?? pollDefaultMs));
      this.#wakeUp = done;
    });
  }
}
