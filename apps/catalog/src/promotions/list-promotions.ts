import { cappedList } from '@store/service';
import type { Verb } from '../catalog.ts';
import type { Ask } from '../products/product.query.ts';
import { promotionsOf } from './promotion.query.ts';
import { promotionView } from './promotion.ts';

/** GET /promotions (staff), newest first. */
export const listPromotions: Verb<'ListPromotions'> = async (app, _request, { caller }) => {
  const ask: Ask = (text, values) => app.db.read(text, values);
  return cappedList({
    read: (limit) => promotionsOf(ask, caller.storeId, limit),
    answer: (rows) => ({ promotions: rows.map(promotionView) }),
  });
};
