import { lockRecord } from '@store/db';
import { acceptBody, cents, filled, moneyMax, moneyText, parseId, refuseErrors, requiredText, signedMoneyField } from '@store/input';
import { invalid } from '@store/problem';
import { recordChange } from '@store/service';
import type { Verb } from '../sales.ts';
import { changeCard } from './change-card.ts';
import { cardResponse } from './gift-card.query.ts';
import { GiftCard, type GiftCardRecord } from './gift-card.ts';
import { moveBalance } from './ledger.ts';

const reasonMax = 1_000;
const fields = { amount: filled(signedMoneyField()), reason: requiredText(reasonMax) };

/** POST /gift_cards/:id/adjust (staff). Puts a mistake right (D273), such as a refund onto a card that has expired. */
export const adjustGiftCard: Verb<'AdjustGiftCard'> = (app, request, call) => {
  const { values, errors } = acceptBody(fields, ['amount'], { reason: '', ...request });
  return changeCard(app, call, async (em) => {
    const card = await lockRecord(em, GiftCard, parseId(request.id));
    refuseErrors(errors);
    const amount = cents(values.amount!);
    const refused = refusalOf(card, amount);
    if (refused) throw invalid([refused]);
    const before = { balance: card.balance, status: card.status };
    moveBalance({ em, app, call }, card, { type: 'adjust', amount, reason: values.reason! });
    await em.flush();
    const after = { balance: card.balance, status: card.status, reason: values.reason };
    await recordChange(em, app, call, GiftCard, card.id, { before, after });
    return cardResponse(em, app, card);
  });
};

/** What is held is promised, and stays. */
function refusalOf(card: GiftCardRecord, amount: bigint): string | undefined {
  const [balance, held] = [cents(card.balance), cents(card.held)];
  if (card.status === 'cancelled') return 'Gift card is cancelled';
  if (amount === 0n) return 'Amount must not be zero';
  if (balance + amount >= moneyMax) return 'Amount is too large';
  return balance + amount < held ? `Gift card has only ${moneyText(balance - held)} to take` : undefined;
}
