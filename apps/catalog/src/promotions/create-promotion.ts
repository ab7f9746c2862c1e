import { insertRecord } from '@store/db';
import { refuseErrors, sent } from '@store/input';
import { change, recordChange } from '@store/service';
import type { Verb } from '../catalog.ts';
import { holdLinks } from '../products/hold-links.ts';
import { touchProducts } from '../products/touch-products.ts';
import { acceptPromotion, mergePromotion, newPromotion, promotionErrors } from './promotion.input.ts';
import { promotedProducts } from './promotion.query.ts';
import { isRunning, Promotion, promotionView } from './promotion.ts';
import { columnsOf, linkProducts, rowOf } from './save-promotion.ts';

/** POST /promotions (staff): on some products, or on a category and its subcategories (D155). */
export const createPromotion: Verb<'CreatePromotion'> = async (app, request, call) => {
  const { caller } = call;
  const input = sent('promotion', request.promotion);
  const accepted = acceptPromotion({ name: '', discount_type: '', ...input }, caller.timeZone);
  const draft = mergePromotion(newPromotion, accepted);
  return change(app, call, async (em) => {
    await holdLinks(em, caller.storeId, 'alone');
    refuseErrors(await promotionErrors(em, caller.storeId, draft, accepted));
    const now = app.db.clock.now();
    const running = isRunning(draft, now);
    const promotion = await insertRecord(em, Promotion, { ...columnsOf(draft), announced_running: running }, now);
    await linkProducts(em, caller.storeId, promotion.id, draft.product_ids);
    if (running) await touchProducts(em, app, caller, await promotedProducts(em, caller.storeId, promotion.id));
    await recordChange(em, app, call, Promotion, promotion.id, { before: null, after: draft });
    return { promotion: promotionView(rowOf(promotion, draft.product_ids)) };
  });
};
