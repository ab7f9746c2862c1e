import { lockRecord } from '@store/db';
import { cents, moneyText, parseId } from '@store/input';
import { notFound } from '@store/problem';
import { updateRecord } from '@store/service';
import type { Verb } from '../sales.ts';
import { changeCard } from './change-card.ts';
import { cardResponse } from './gift-card.query.ts';
import { GiftCard } from './gift-card.ts';
import { GiftCardHold } from './gift-card-hold.ts';

/** DELETE /gift_cards/:id/holds/:hold_id (staff). Ends one hold, whatever the state of its card; the others stay. */
export const releaseHold: Verb<'ReleaseHold'> = (app, request, call) =>
  changeCard(app, call, async (em) => {
    const card = await lockRecord(em, GiftCard, parseId(request.id));
    const id = parseId(request.hold_id);
    const hold = id === undefined ? null : await em.findOne(GiftCardHold, { id, giftCardId: card.id });
    if (!hold) throw notFound('Hold');
    em.remove(hold);
    // Below 0 only where a process of the version before set the total meanwhile.
    const rest = cents(card.held) - cents(hold.amount);
    await updateRecord({ em, app, call }, GiftCard, card, { values: { held: moneyText(rest > 0n ? rest : 0n) }, errors: {} });
    await em.flush();
    return cardResponse(em, app, card);
  });
