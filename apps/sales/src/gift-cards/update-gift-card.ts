import { lockRecord } from '@store/db';
import { acceptor, cents, endField, parseId } from '@store/input';
import { invalid } from '@store/problem';
import { demandVersion, updateRecord } from '@store/service';
import type { Verb } from '../sales.ts';
import { changeCard } from './change-card.ts';
import { cardResponse } from './gift-card.query.ts';
import { GiftCard, type GiftCardRecord, isPastExpiry } from './gift-card.ts';

/** PATCH /gift_cards/:id (staff). Changes when the card expires (D273). */
export const updateGiftCard: Verb<'UpdateGiftCard'> = (app, request, call) => {
  const accept = acceptor({ wrapper: 'gift_card', fields: { expires_at: endField(call.caller.timeZone) } });
  const { values, errors } = accept.update(request.gift_card);
  return changeCard(app, call, async (em) => {
    const card = await lockRecord(em, GiftCard, parseId(request.id));
    await demandVersion(call, () => cardResponse(em, app, card));
    if (card.status === 'cancelled') throw invalid(['Gift card is cancelled']);
    const status = statusUntil(card, values.expires_at ?? null, app.db.clock.now());
    await updateRecord({ em, app, call }, GiftCard, card, { values: { ...values, status }, errors });
    return cardResponse(em, app, card);
  });
};

function statusUntil(card: GiftCardRecord, expiresAt: Date | null, now: Date): GiftCardRecord['status'] {
  if (card.status === 'redeemed') return 'redeemed';
  if (isPastExpiry({ expiresAt }, now)) return 'expired';
  return cents(card.balance) === 0n ? 'redeemed' : 'active';
}
