/** GET /gift_cards/lookup/:card_number, which marks a card that is past its expiry. */
import { notFound } from '@store/problem';
import type { Verb } from '../sales.ts';
import { guarded, missed } from './card-misses.ts';
import { expireCards } from './expire-cards.ts';
import { cardByNumber } from './gift-card.query.ts';
import { normalNumber } from './gift-card.ts';
import { giftCardView } from './gift-card.view.ts';

/**
 * "Upper-cased before matching; marks the card expired if past expiry": on HEAD and for keys in Test Mode too, as it is the
 * system that notices the date (D118). Only one of any number of lookups marks it.
 */
export const lookupGiftCard: Verb<'LookupGiftCard'> = (app, request, call) => guarded(app, call, () => look(app, request, call));

const look: Verb<'LookupGiftCard'> = async (app, request, call) => {
  const { caller } = call;
  const number = normalNumber(request.card_number ?? '');
  const query = cardByNumber(caller.storeId, number);
  // PostgreSQL has no text with NUL, so no card has such a number.
  let [row] = number.includes('\0') ? [] : await app.db.read(query);
  if (!row) throw missed(notFound('Gift card'));
  let view = giftCardView(row, app.db.clock.now());
  if (row.status === 'active' && view.expired) {
    await expireCards(app, { storeId: caller.storeId, requestId: caller.requestId, ids: [row.id] });
    [row] = await app.db.read(query);
    view = giftCardView(row!, app.db.clock.now());
  }
  return { gift_card: view };
};
