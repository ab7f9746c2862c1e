/**
 * Claims new deliveries in the transaction that adds them: their POSTs start after its commit, without a notification and a
 * second transaction (docs/decisions/0197).
 */
import { afterCommit, type EntityManager } from '@store/db';
import type { Webhooks } from '../webhooks.ts';
import { type ClaimResult, refill } from './claim.ts';

/** The slots of a dispatcher. */
export interface Slots {
  /** How many deliveries it may claim now; 0 while it claims none. */
  room(): number;
  inFlightMax: number;
  /** Posts what was claimed. */
  take(taken: Omit<ClaimResult, 'cursor'>): void;
}

/** A transaction that has not ended by then has failed: no answer to a statement is waited for longer. */
const endedWithinMs = 15_000;

export class ArrivalClaims {
  readonly #app: Webhooks;
  readonly #slots: Slots;
  readonly #underWay = new Set<{ slots: number; untilMs: number }>();

  constructor(app: Webhooks, slots: Slots) {
    this.#app = app;
    this.#slots = slots;
  }

  /** Slots of claims whose transactions have not ended. */
  get reserved(): number {
    const nowMs = performance.now();
    let slots = 0;
    for (const claim of this.#underWay) {
      if (claim.untilMs > nowMs) slots += claim.slots;
      else this.#underWay.delete(claim);
    }
    return slots;
  }

  /**
   * Claims for subscriptions whose rows the transaction of `em` has locked to add so many deliveries; the dispatchers are notified after
   * the commit if something may be left. Where less than half of the slots would stay free nothing is claimed, so that
   * subscriptions which wait for a slot get their turn.
   */
  async claim(em: EntityManager, { count, subscriptionIds }: { count: number; subscriptionIds: number[] }): Promise<void> {
    // One more than was added, as a claim that reaches its limit may have left something.
    const limit = count + 1;
    if (this.#slots.room() - limit < this.#slots.inFlightMax / 2) return afterCommit(em, () => this.#app.wake());
    const claim = { slots: limit, untilMs: performance.now() + endedWithinMs };
    this.#underWay.add(claim);
    let taken: Omit<ClaimResult, 'cursor'> | undefined;
    try {
      taken = await refill(this.#app, em, subscriptionIds, limit);
    } catch (error) {
      this.#underWay.delete(claim);
      throw error;
    }
    afterCommit(em, () => {
      this.#underWay.delete(claim);
      if (taken) this.#slots.take(taken);
      if (!taken || taken.again || subscriptionIds.some((id) => !taken.full.has(id))) this.#app.wake();
    });
  }
}
