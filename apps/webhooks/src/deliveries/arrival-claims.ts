/**
 * Claims new deliveries in the transaction that adds them: their POSTs start after its commit, without a notification and a
 * second transaction (docs/decisions/0040).
 */
import { afterCommit, afterRollback, type EntityManager } from '@store/db';
import type { Webhooks } from '../webhooks.ts';
import { type Claims, refill } from './claim.ts';

/** A dispatcher, as this uses it. */
export interface Posting {
  /** Whether it claims now and has room for so many. */
  mayClaim(count: number): boolean;
  /** Posts what was claimed. */
  take(claims: Claims): void;
}

export class ArrivalClaims {
  readonly #app: Webhooks;
  readonly #posting: Posting;
  #underWay = 0;

  constructor(app: Webhooks, posting: Posting) {
    this.#app = app;
    this.#posting = posting;
  }

  /** Claims whose transactions have not ended. */
  get underWay(): number {
    return this.#underWay;
  }

  /**
   * Claims for subscriptions whose rows the transaction of `em` has locked to add so many deliveries; the dispatchers are notified after
   * the commit if something may be left.
   */
  async claim(em: EntityManager, { count, subscriptionIds }: { count: number; subscriptionIds: number[] }): Promise<void> {
    if (!this.#posting.mayClaim(count)) return afterCommit(em, () => this.#app.wake());
    this.#underWay += 1;
    afterRollback(em, () => {
      this.#underWay -= 1;
    });
    const claims = await refill(this.#app, em, subscriptionIds);
    afterCommit(em, () => {
      this.#underWay -= 1;
      if (claims) this.#posting.take(claims);
      if (!claims || claims.again || subscriptionIds.some((id) => !claims.left.has(id))) this.#app.wake();
    });
  }
}
