import type { ListPromotionsRequest__Output } from '@store/protos/catalog/v1/ListPromotionsRequest.ts';
import type { ListPromotionsResponse } from '@store/protos/catalog/v1/ListPromotionsResponse.ts';
import type { Call } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { promotionsOf, promotionView } from './promotion.ts';

/** GET /promotions (staff), newest first. */
export async function listPromotions(
  app: Catalog,
  _request: ListPromotionsRequest__Output,
  { caller }: Call,
): Promise<ListPromotionsResponse> {
  const rows = await promotionsOf((text, values) => app.db.read('promotions', text, values), caller.storeId);
  return { promotions: rows.map(promotionView) };
}
