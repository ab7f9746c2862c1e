import { type EntityManager, sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { invalid, missing, notFound, sentences } from '@store/problem';
import type { PromotionResponse } from '@store/protos/catalog/v1/PromotionResponse.ts';
import type { UpdatePromotionRequest__Output } from '@store/protos/catalog/v1/UpdatePromotionRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { changedFields } from '../changed-fields.ts';
import { holdLinks } from '../products/hold-links.ts';
import { touchProducts } from '../products/touch-products.ts';
import { acceptPromotion, mergePromotion, type PromotionDraft, promotionErrors } from './promotion.input.ts';
import { hasShownPrices, isRunning, lockPromotion, promotedProducts, promotionView } from './promotion.ts';
import { draftOf, linkProducts } from './save-promotion.ts';

/** PATCH /promotions/:id (staff): products whose price it changes now are told. */
export async function updatePromotion(
  app: Catalog,
  request: UpdatePromotionRequest__Output,
  call: Call,
): Promise<PromotionResponse | Reply<PromotionResponse>> {
  const id = parseId(request.id);
  if (!request.promotion) throw missing('promotion');
  if (id === undefined) throw notFound('Promotion');
  const { caller } = call;
  const accepted = acceptPromotion(request.promotion, caller.timeZone);
  return change({ db: app.db, call, response: 'store.catalog.v1.PromotionResponse' }, async (em) => {
    await holdLinks(em, caller.storeId, 'alone');
    const row = await lockPromotion(em, caller.storeId, id);
    const stored = draftOf(row);
    const draft = mergePromotion(stored, accepted);
    const errors = await promotionErrors(em, caller.storeId, draft, accepted.errors);
    if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
    const difference = changedFields(stored, draft);
    if (!difference) return { promotion: promotionView(row) };
    const now = app.db.clock.now();
    const running = isRunning(draft, now);
    const before = hasShownPrices(row, now) ? await promotedProducts(em, caller.storeId, id) : [];
    await write(em, app, caller.storeId, id, draft, running);
    const after = running ? await promotedProducts(em, caller.storeId, id) : [];
    if (changesPrices(Object.keys(difference.after), row.told_running !== running)) {
      await touchProducts(em, app, caller, [...before, ...after]);
    }
    await emit(em, app.outbox, caller, [
      {
        name: 'promotion.updated',
        aggregate: `promotion:${id}`,
        audit: { action: 'promotion.update', resource_type: 'Promotion', resource_id: id, ...difference },
      },
    ]);
    return { promotion: promotionView(await lockPromotion(em, caller.storeId, id)) };
  });
}

async function write(em: EntityManager, app: Catalog, storeId: number, id: number, draft: PromotionDraft, running: boolean): Promise<void> {
  await sql(
    em,
    `update catalog.promotions set updated_at = $3, name = $4, discount_type = $5, value = $6, category_id = $7, starts_at = $8,
       ends_at = $9, told_running = $10 where store_id = $1 and id = $2`,
    [
      storeId,
      id,
      app.db.clock.now(),
      draft.name,
      draft.discount_type,
      draft.value,
      draft.category_id,
      draft.starts_at,
      draft.ends_at,
      running,
    ],
  );
  await linkProducts(em, id, draft.product_ids);
}

/** A new name, or times that leave it running or not as before, change no price. */
function changesPrices(fields: string[], startedOrEnded: boolean): boolean {
  return startedOrEnded || fields.some((field) => ['discount_type', 'value', 'product_ids', 'category_id'].includes(field));
}
