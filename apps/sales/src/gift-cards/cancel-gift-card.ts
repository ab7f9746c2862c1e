/** POST /gift_cards/:id/cancel (staff). */
import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { updateRecord } from '@store/service';
import type { Verb } from '../sales.ts';
import { changeCard } from './change-card.ts';
import { cardResponse } from './gift-card.query.ts';
import { demandActive, GiftCard } from './gift-card.ts';

/** Only an active card is cancelled (D232). Its balance stays as a record and can no longer be spent. */
export const cancelGiftCard: Verb<'CancelGiftCard'> = (app, request, call) =>
  changeCard(app, call, async (em) => {
    const card = await lockRecord(em, GiftCard, parseId(request.id));
    demandActive(card, app.db.clock.now());
    await updateRecord({ em, app, call }, GiftCard, card, { values: { status: 'cancelled' }, errors: {} });
    return cardResponse(em, app, card);
  });
