import { readRecord } from '@store/service';
import type { Verb } from '../sales.ts';
import { cardById } from './gift-card.query.ts';
import { giftCardView } from './gift-card.view.ts';

/** GET /gift_cards/:id: a card past its expiry is shown as expired and stays as it is stored (D119). */
export const getGiftCard: Verb<'GetGiftCard'> = async (app, request, { caller }) => {
  const row = await readRecord(app.db, request.id, (id) => cardById(caller.storeId, id), 'Gift card');
  return { gift_card: giftCardView(row, app.db.clock.now()) };
};
