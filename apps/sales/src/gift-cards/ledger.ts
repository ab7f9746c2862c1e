/** The ledger of gift cards, which is only ever added to: before + amount = after, and a card's last after is its balance. */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, idColumn, sameStore, storeKeyColumn, timeColumn } from '@store/db';
import { cents, moneyText } from '@store/input';
import { type Unit, userOf } from '@store/service';
import { GiftCard, type GiftCardRecord, refundedStatus } from './gift-card.ts';

const transactionTypes = ['issue', 'redeem', 'refund', 'adjust'] as const;
type TransactionType = (typeof transactionTypes)[number];

export const GiftCardTransaction = defineEntity({
  name: 'GiftCardTransaction',
  tableName: 'gift_card_transactions',
  properties: {
    storeId: storeKeyColumn(),
    giftCardId: p.bigint('number').primary(),
    id: idColumn(),
    giftCard: () => sameStore(GiftCard, { table: 'gift_card_transactions', column: 'gift_card_id' }),
    transactionType: p.enum(transactionTypes),
    /** Signed: a redemption is negative. */
    amount: decimalColumn(2),
    balanceBefore: decimalColumn(2),
    balanceAfter: decimalColumn(2),
    /** The sale that it paid for; its void gives back what was taken for it. */
    saleId: p.bigint('number').nullable(),
    /** Of an adjust. */
    reason: p.text().nullable(),
    userId: p.bigint('number').nullable(),
    userName: p.text().nullable(),
    createdAt: timeColumn(),
  },
  checks: [{ name: 'gift_card_transactions_check', expression: 'balance_after = (balance_before + amount)' }],
  indexes: [
    { name: 'gift_card_transactions_made', properties: ['storeId', 'createdAt'] },
    {
      name: 'gift_card_transactions_of_sale',
      expression:
        'create index gift_card_transactions_of_sale on sales.gift_card_transactions (store_id, sale_id) where sale_id is not null',
    },
  ],
});

interface Movement {
  type: TransactionType;
  /** In cents, signed. */
  amount: bigint;
  saleId?: number | null;
  reason?: string;
}

/** The one way to change the balance of a card, which is locked: with its ledger row it is written by the unit's next flush. */
export function moveBalance({ em, app, call }: Unit, card: GiftCardRecord, { type, amount, saleId = null, reason }: Movement): void {
  const { storeId } = call.caller;
  const user = userOf(call.caller);
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
      giftCardId: card.id,
      transactionType: type,
      amount: moneyText(amount),
      balanceBefore: moneyText(before),
      balanceAfter: card.balance,
      saleId,
      reason: reason ?? null,
      userId: user?.id ?? null,
      userName: user?.name ?? null,
      createdAt: now,
    }),
  );
}
