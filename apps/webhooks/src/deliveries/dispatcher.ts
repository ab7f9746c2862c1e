/**
 * Records results, claims what is due and posts it outside of any transaction, until it is notified, attempts end or its poll is due. A
 * consumer that adds deliveries claims them through it (docs/decisions/0040).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { afterCommit, afterRollback, type EntityManager } from '@store/db';
import type { RowKey } from '../row-key.ts';
import type { Webhooks } from '../webhooks.ts';
import { type Claimed, type Claims, claimDue, claimFor } from './claim.ts';
import { releaseLost, renewLeases } from './leases.ts';
import { recordResults } from './record.ts';
import { ResultBatcher } from './result-batcher.ts';
import { send } from './send.ts';
import { afterFailureMs, claimAgainMs, pollMs, renewEveryMs, stopMaxMs } from './timing.ts';
import { Work } from './work.ts';

export interface DispatcherOptions {
  retryWaitsMs: readonly number[];
  pollMs?: number;
  renewEveryMs?: number;
}

/** New deliveries: how many, and of which subscriptions, whose rows the transaction has locked. */
export interface Added {
  count: number;
  subscriptions: RowKey[];
}

export class Dispatcher {
  readonly #app: Webhooks;
  readonly #options: Required<DispatcherOptions>;
  readonly #work = new Work();
  readonly #batcher = new ResultBatcher();
  /** `finishing`: nothing more is claimed, results are still recorded; `stopping`: the loop ends with the last result. */
  #phase: 'new' | 'running' | 'finishing' | 'stopping' = 'new';
  #stopAtMs = Number.POSITIVE_INFINITY;
  #running: Promise<void> | undefined;
  #renewal: NodeJS.Timeout | undefined;
  #sweptAtMs = 0;
  /** The last turn left something that can be done soon. */
  #again = false;
  /** The last claim continues after this subscription. */
  #cursor = 0;
  /** Claims of consumers whose transactions have not ended. */
  #claimsOnInsert = 0;

  constructor(app: Webhooks, options: DispatcherOptions) {
    this.#app = app;
    this.#options = { pollMs, renewEveryMs, ...options };
  }

  /** Claimed deliveries whose result is not recorded yet. */
  get inFlight(): number {
    return this.#work.inFlight;
  }

  start(): void {
    this.#phase = 'running';
    this.#renewal = setInterval(() => void this.#renew(), this.#options.renewEveryMs);
    this.#renewal.unref();
    this.#running = this.#run();
  }

  wake(): void {
    this.#work.noteDue();
    this.#batcher.wake();
  }

  /** Claims nothing more; results are still recorded, and `stop` waits for those in flight. */
  stopClaiming(): void {
    this.#phase = 'finishing';
    this.#stopAtMs = Math.min(this.#stopAtMs, performance.now() + stopMaxMs);
  }

  /** Claims nothing more, waits for attempts in flight and records them. Unfinished ones keep their leases until these expire. */
  async stop(): Promise<void> {
    this.stopClaiming();
    this.#phase = 'stopping';
    this.#batcher.wake();
    await (this.#running ?? this.#run());
    clearInterval(this.#renewal);
  }

  /** Posts and records until nothing is due, in a dispatcher that is not started. */
  async drain(): Promise<void> {
    this.#work.noteDue();
    await this.#run(() => !this.#isBusy && !this.#again);
  }

  /**
   * Claims new deliveries in the consumer's transaction, which has locked their subscriptions: that saves a notification and a
   * transaction. The dispatchers are notified after the commit if something may be left.
   */
  async claimOnInsert(em: EntityManager, { count, subscriptions }: Added): Promise<void> {
    const app = this.#app;
    if (this.#phase !== 'running' || !this.#mayClaim || !this.#leavesHalfFree(count)) return afterCommit(em, () => app.wake());
    this.#claimsOnInsert += 1;
    afterRollback(em, () => {
      this.#claimsOnInsert -= 1;
    });
    const claims = await claimFor(app, em, subscriptions);
    afterCommit(em, () => {
      this.#claimsOnInsert -= 1;
      if (claims) this.#post(claims);
      if (!claims || claims.again || subscriptions.some(({ id }) => !claims.left.has(id))) app.wake();
    });
  }

  get #mayClaim(): boolean {
    return (this.#phase === 'new' || this.#phase === 'running') && this.#app.owners.isHeld;
  }

  /** Whether half of the slots stay free. Else only a claim that asks all subscriptions takes them, so that each gets its turn. */
  #leavesHalfFree(count: number): boolean {
    return this.#work.inFlight + count < this.#app.limiter.size / 2;
  }

  get #isBusy(): boolean {
    return this.#work.inFlight > 0 || this.#work.hasResults || this.#claimsOnInsert > 0;
  }

  async #run(isOver = () => this.#phase === 'stopping' && (!this.#isBusy || performance.now() >= this.#stopAtMs)): Promise<void> {
    do {
      await this.#turn();
      if (!isOver()) await this.#batcher.pause(this.#again ? claimAgainMs : this.#options.pollMs);
    } while (!isOver());
  }

  async #turn(): Promise<void> {
    this.#batcher.beginTurn();
    this.#again = false;
    try {
      await this.#record();
      await this.#sweep();
      if (this.#mayClaim && this.#work.mayBeDue && !this.#app.limiter.isFull) await this.#claim();
    } catch (error) {
      this.#work.noteDue();
      this.#app.log.warn({ err: error }, 'The dispatcher failed and tries again');
      await wait(afterFailureMs);
      this.#again = true;
    }
  }

  /** Records the results so far, and in the same transaction claims what their subscriptions have more. */
  async #record(): Promise<void> {
    if (!this.#work.hasResults) return;
    const taken = this.#work.takeResults();
    const { results, freed } = taken;
    const storeOf = new Map(results.map(({ claimed }) => [claimed.subscriptionId, claimed.storeId]));
    const ending = freed.flatMap((id) => (storeOf.has(id) ? { storeId: storeOf.get(id)!, id } : []));
    const refill = this.#mayClaim && this.#leavesHalfFree(-results.length) ? ending : [];
    const recorded = await recordResults(this.#app, results, { ...this.#options, refill }).catch((error: unknown) => {
      this.#work.putBack(results);
      throw error;
    });
    this.#work.noteRecorded(taken, recorded);
    if (recorded.refilled) this.#post(recorded.refilled);
  }

  async #claim(): Promise<void> {
    this.#work.noteLook();
    const { claims, cursor } = await claimDue(this.#app, this.#cursor);
    this.#cursor = cursor;
    this.#again = !claims || claims.again;
    if (claims) this.#post(claims);
    else this.#work.noteDue();
  }

  #post(claims: Claims): void {
    this.#work.noteClaims(claims);
    for (const claimed of claims.claimed) void this.#send(claimed);
  }

  async #send(claimed: Claimed): Promise<void> {
    const result = await send(this.#app, claimed);
    this.#app.limiter.end(claimed.place, result?.outcome);
    this.#work.noteEnd(claimed, result);
    if (this.#work.hasAllResults) this.#batcher.wake();
    else this.#batcher.wakeAfterBatch();
  }

  /** Leases of dead processes are released, and retries may have become due. */
  async #sweep(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#sweptAtMs < this.#options.pollMs) return;
    this.#sweptAtMs = nowMs;
    this.#work.noteDue();
    await releaseLost(this.#app);
  }

  async #renew(): Promise<void> {
    const tokens = this.#work.leaseTokens;
    if (tokens.length === 0) return;
    const { db, log } = this.#app;
    await renewLeases(db, tokens).catch((error: unknown) => {
      log.warn({ err: error }, 'Leases could not be renewed; the next renewal tries again');
    });
  }
}
