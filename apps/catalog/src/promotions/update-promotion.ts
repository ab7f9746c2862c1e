import { applyChanges, changedFields, flushRecord, lockRecord } from '@store/db';
import { parseId, refuseErrors, sent } from '@store/input';
import { change, recordChange } from '@store/service';
import type { Verb } from '../catalog.ts';
import { holdLinks } from '../products/hold-links.ts';
import { touchProducts } from '../products/touch-products.ts';
import { acceptPromotion, mergePromotion, promotionErrors } from './promotion.input.ts';
import { namedProducts, promotedProducts } from './promotion.query.ts';
import { hasShownPrices, isRunning, Promotion, promotionView } from './promotion.ts';
import { columnsOf, draftOf, linkProducts, rowOf } from './save-promotion.ts';

/** PATCH /promotions/:id (staff): emits product.updated for products whose price changes now. */
export const updatePromotion: Verb<'UpdatePromotion'> = async (app, request, call) => {
  const { caller } = call;
  const { storeId } = caller;
  const accepted = acceptPromotion(sent('promotion', request.promotion), caller.timeZone);
  return change(app, call, async (em) => {
    await holdLinks(em, storeId, 'alone');
    const promotion = await lockRecord(em, Promotion, parseId(request.id));
    const { id, announcedRunning } = promotion;
    const stored = draftOf(promotion, await namedProducts(em, storeId, id));
    const draft = mergePromotion(stored, accepted);
    refuseErrors(await promotionErrors(em, storeId, draft, accepted));
    const difference = changedFields(stored, draft);
    if (!difference) return { promotion: promotionView(rowOf(promotion, stored.product_ids)) };
    const now = app.db.clock.now();
    const running = isRunning(draft, now);
    const before = hasShownPrices(promotion, now) ? await promotedProducts(em, storeId, id) : [];
    applyChanges(promotion, { ...columnsOf(draft), announced_running: running }, now);
    promotion.updatedAt = now;
    await flushRecord(em, Promotion);
    await linkProducts(em, storeId, id, draft.product_ids);
    const after = running ? await promotedProducts(em, storeId, id) : [];
    if (changesPrices(Object.keys(difference.after), announcedRunning !== running)) {
      await touchProducts(em, app, caller, [...before, ...after]);
    }
    await recordChange(em, app, call, Promotion, id, difference);
    return { promotion: promotionView(rowOf(promotion, draft.product_ids)) };
  });
};

/** A new name, or times that leave it running or not as before, change no price. */
function changesPrices(fields: string[], startedOrEnded: boolean): boolean {
  return startedOrEnded || fields.some((field) => ['discount_type', 'value', 'product_ids', 'category_id'].includes(field));
}
