import { lockRecord } from '@store/db';
import { aboveZero, acceptBody, cents, filled, moneyField, moneyText, parseId, refuseErrors } from '@store/input';
import { invalid } from '@store/problem';
import { updateRecord } from '@store/service';
import type { Verb } from '../sales.ts';
import { changeCard } from './change-card.ts';
import { cardResponse } from './gift-card.query.ts';
import { demandActive, GiftCard } from './gift-card.ts';
import { GiftCardHold, holdView } from './gift-card-hold.ts';

const fields = { amount: filled(aboveZero(moneyField())) };
const holdsMax = 100;

/** POST /gift_cards/:id/hold (staff). Puts a part of an active card aside, beside what others hold (D273). */
export const holdGiftCard: Verb<'HoldGiftCard'> = (app, request, call) => {
  const { values, errors } = acceptBody(fields, ['amount'], request);
  return changeCard(app, call, async (em) => {
    const card = await lockRecord(em, GiftCard, parseId(request.id));
    refuseErrors(errors);
    demandActive(card, app.db.clock.now());
    const [amount, free] = [cents(values.amount!), cents(card.balance) - cents(card.held)];
    if (amount > free) throw invalid([`Gift card has only ${moneyText(free)} to hold`]);
    if ((await em.count(GiftCardHold, { giftCardId: card.id })) >= holdsMax) throw invalid([`Gift card has ${holdsMax} holds`]);
    const { storeId, actor } = call.caller;
    const terms = { amount: values.amount!, userName: actor.userName || null, createdAt: app.db.clock.now() };
    const hold = em.create(GiftCardHold, { storeId, giftCardId: card.id, ...terms });
    em.persist(hold);
    await updateRecord({ em, app, call }, GiftCard, card, { values: { held: moneyText(cents(card.held) + amount) }, errors: {} });
    const shown = holdView({ id: hold.id, amount: hold.amount, user_name: terms.userName, created_at: terms.createdAt });
    return { ...(await cardResponse(em, app, card)), hold: shown };
  });
};
