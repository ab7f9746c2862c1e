import { lockRecord } from '@store/db';
import { aboveZero, acceptBody, cents, filled, idField, moneyField, parseId, refuseErrors } from '@store/input';
import { invalid } from '@store/problem';
import { recordChange } from '@store/service';
import type { Verb } from '../sales.ts';
import { changeCard } from './change-card.ts';
import { cardResponse } from './gift-card.query.ts';
import { GiftCard, refusalOf } from './gift-card.ts';
import { moveBalance } from './ledger.ts';
import { lockSaleToPay } from './lock-sale-to-pay.ts';

const fields = { amount: filled(aboveZero(moneyField())), sale_id: idField() };

/** POST /gift_cards/:id/redeem (staff). Takes an amount from the card; with a sale, that sale's void gives it back (D232). */
export const redeemGiftCard: Verb<'RedeemGiftCard'> = (app, request, call) => {
  const { values, errors } = acceptBody(fields, ['amount'], request);
  const saleId = values.sale_id ?? null;
  return changeCard(app, call, async (em) => {
    // The sale before its cards, as its completion and its void lock them.
    const saleErrors = saleId === null ? {} : await lockSaleToPay(em, call.caller.storeId, saleId);
    const card = await lockRecord(em, GiftCard, parseId(request.id));
    refuseErrors({ ...errors, ...saleErrors });
    const amount = cents(values.amount!);
    const refused = refusalOf(card, amount, app.db.clock.now());
    if (refused) throw invalid([refused]);
    const before = { balance: card.balance, status: card.status };
    moveBalance({ em, app, call }, card, { type: 'redeem', amount: -amount, saleId });
    await em.flush();
    const after = { balance: card.balance, status: card.status };
    await recordChange(em, app, call, GiftCard, card.id, { before, after });
    return cardResponse(em, app, card);
  });
};
