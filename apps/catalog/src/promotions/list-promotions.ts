import { cappedList } from '@store/service';
import type { Verb } from '../catalog.ts';
import { promotionsOf } from './promotion.query.ts';
import { promotionView } from './promotion.ts';

/** GET /promotions (staff), newest first. */
export const listPromotions: Verb<'ListPromotions'> = async (app, _request, { caller }) => {
  return cappedList({
    read: (limit) => promotionsOf(app.db.read, caller.storeId, limit),
    answer: (rows) => ({ promotions: rows.map(promotionView) }),
  });
};
