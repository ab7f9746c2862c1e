/** Gift cards as the tender of a sale: taken by its completion, given back by its void, in the transaction of the caller. */
import { LockMode } from '@mikro-orm/core';
import { sql } from '@store/db';
import { cents } from '@store/input';
import { invalid } from '@store/problem';
import type { Unit } from '@store/service';
import { tables } from '../tables.ts';
import { missed } from './card-misses.ts';
import { GiftCard, lastFour, normalNumber, refusalOf } from './gift-card.ts';
import { moveBalance } from './ledger.ts';

export interface CardTender {
  cardNumber: string;
  /** Money as two-decimal text. */
  amount: string;
}

/**
 * Takes the tenders from their cards, which are locked in id order (D211). A card that is unknown, not active, past its
 * expiry or has too little available is a 422, and nothing of the unit is kept.
 */
export async function redeemCards(unit: Unit, saleId: number, tenders: CardTender[]): Promise<void> {
  if (tenders.length === 0) return;
  const amounts = new Map<string, bigint>();
  for (const { cardNumber, amount } of tenders) {
    const number = normalNumber(cardNumber);
    amounts.set(number, (amounts.get(number) ?? 0n) + cents(amount));
  }
  const cards = await lockCards(unit, { cardNumber: { $in: [...amounts.keys()] } });
  const byNumber = new Map(cards.map((card) => [card.cardNumber, card]));
  const now = unit.app.db.clock.now();
  const errors = [...amounts].flatMap(([number, amount]) => {
    const card = byNumber.get(number);
    const name = `Gift card ending in ${lastFour(number)}`;
    return (card ? refusalOf(card, amount, now, name) : `${name} not found`) ?? [];
  });
  if (cards.length < amounts.size) throw missed(invalid(errors));
  if (errors.length > 0) throw invalid(errors);
  for (const card of cards) moveBalance(unit, card, { type: 'redeem', amount: -amounts.get(card.cardNumber)!, saleId });
  await unit.em.flush();
}

/** Gives back to each card what was taken for the sale and not yet given back, so a repetition gives nothing (D212). */
export async function refundCards(unit: Unit, saleId: number): Promise<void> {
  const { em, call } = unit;
  const ofSale = tables.selectFrom('gift_card_transactions').where('store_id', '=', call.caller.storeId).where('sale_id', '=', saleId);
  const named = await sql(em, ofSale.select('gift_card_id').distinct());
  if (named.length === 0) return;
  // Read under the locks of the cards: what another void gave back meanwhile is seen.
  const cards = await lockCards(unit, { id: { $in: named.map((row) => row.gift_card_id) } });
  const moved = await sql(em, ofSale.select(({ fn }) => ['gift_card_id', fn.sum<string>('amount').as('sum')]).groupBy('gift_card_id'));
  const taken = new Map(moved.map((row) => [row.gift_card_id, -cents(row.sum)]));
  for (const card of cards) {
    const amount = taken.get(card.id) ?? 0n;
    if (amount > 0n) moveBalance(unit, card, { type: 'refund', amount, saleId });
  }
  await em.flush();
}

function lockCards({ em }: Unit, where: object) {
  return em.find(GiftCard, where, { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } });
}
