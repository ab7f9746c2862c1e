/** The one way to change a card's balance: the card, which is locked, and its ledger row are written together. */
import type { Unit } from '@store/service';
import { cents, type GiftCardRecord, moneyText, refundedStatus } from './gift-card.ts';
import { GiftCardTransaction, type TransactionType } from './gift-card-transaction.ts';

export interface Movement {
  type: TransactionType;
  /** In cents, signed. */
  amount: bigint;
  saleId?: number | null;
  reason?: string;
}

/** Moves the balance of a card and adds the ledger row; both are written by the unit's next flush. */
export function moveBalance({ em, app, call }: Unit, card: GiftCardRecord, { type, amount, saleId = null, reason }: Movement): void {
  const { storeId, actor } = call.caller;
  const now = app.db.clock.now();
  const before = type === 'issue' ? 0n : cents(card.balance);
  const after = before + amount;
  card.balance = moneyText(after);
  if (amount < 0n && after === 0n && card.status === 'active') card.status = 'redeemed';
  if (type === 'refund' || (type === 'adjust' && amount > 0n)) card.status = refundedStatus(card, now);
  card.updatedAt = now;
  em.persist(
    em.create(GiftCardTransaction, {
      storeId,
      giftCard: card,
      transactionType: type,
      amount: moneyText(amount),
      balanceBefore: moneyText(before),
      balanceAfter: card.balance,
      saleId,
      reason: reason ?? null,
      userId: actor.userId > 0 ? actor.userId : null,
      userName: actor.userId > 0 ? actor.userName : null,
      createdAt: now,
    }),
  );
}
