import type { Verb } from '../catalog.ts';
import { promotionsOf } from './promotion.query.ts';
import { promotionView } from './promotion.ts';

/** GET /promotions (staff), newest first. */
export const listPromotions: Verb<'ListPromotions'> = async (app, _request, { caller }) => {
  const rows = await promotionsOf((text, values) => app.db.read(text, values), caller.storeId);
  return { promotions: rows.map(promotionView) };
};
