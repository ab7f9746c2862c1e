/** POST /gift_cards/:id/hold (staff). */
import { lockRecord } from '@store/db';
import { filled, moneyField, parseFields, parseId, refuseErrors } from '@store/input';
import { invalid, missing } from '@store/problem';
import { updateRecord } from '@store/service';
import type { Verb } from '../sales.ts';
import { changeCard } from './change-card.ts';
import { cardResponse } from './gift-card.query.ts';
import { cents, demandActive, GiftCard } from './gift-card.ts';

const fields = { amount: filled(moneyField()) };

/** Sets the held total of an active card; 0 releases it (D232). */
export const holdGiftCard: Verb<'HoldGiftCard'> = (app, request, call) => {
  if (request.amount === undefined && !request.malformed?.includes('amount')) throw missing('amount');
  const { values, errors } = parseFields(fields, request);
  return changeCard(app, call, async (em) => {
    const card = await lockRecord(em, GiftCard, parseId(request.id));
    refuseErrors(errors);
    demandActive(card, app.db.clock.now());
    const held = values.amount!;
    if (cents(held) > cents(card.balance)) throw invalid([`Gift card has only ${card.balance} to hold`]);
    await updateRecord({ em, app, call }, GiftCard, card, { values: { held }, errors: {} });
    return cardResponse(em, app, card);
  });
};
