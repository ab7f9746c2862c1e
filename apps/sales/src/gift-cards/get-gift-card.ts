import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Verb } from '../sales.ts';
import { cardById } from './gift-card.query.ts';
import { giftCardView } from './gift-card.view.ts';

/** GET /gift_cards/:id: a card past its expiry is shown as expired and stays as it is stored (D119). */
export const getGiftCard: Verb<'GetGiftCard'> = async (app, request, call) => {
  const id = parseId(request.id);
  const [row] = id === undefined ? [] : await app.db.read(cardById(call.caller.storeId, id));
  if (!row) throw notFound('Gift card');
  return { gift_card: giftCardView(row, app.db.clock.now()) };
};
