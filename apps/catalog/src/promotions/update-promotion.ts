import { parseId } from '@store/contract';
import type { PromotionResponse } from '@store/contract/gen/store/catalog/v1/PromotionResponse.ts';
import type { UpdatePromotionRequest__Output } from '@store/contract/gen/store/catalog/v1/UpdatePromotionRequest.ts';
import { type EntityManager, sql } from '@store/db';
import { emit } from '@store/events';
import { invalid, missing, notFound, sentences } from '@store/problem';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { changedFields } from '../changed-fields.ts';
import { touchProducts } from '../products/touch-products.ts';
import { acceptPromotion, checkPromotion, mergePromotion, type PromotionDraft } from './promotion.input.ts';
import { isRunning, lockPromotion, promotedProducts, promotionView } from './promotion.ts';
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
    const row = await lockPromotion(em, caller.storeId, id);
    const stored = draftOf(row);
    const draft = mergePromotion(stored, accepted);
    await checkPromotion(em, caller.storeId, draft, accepted.errors);
    if (Object.keys(accepted.errors).length > 0) throw invalid(sentences(accepted.errors));
    const difference = changedFields(stored, draft);
    if (!difference) return { promotion: promotionView(row) };
    const running = isRunning(draft, app.db.clock.now());
    const before = row.told_running ? await promotedProducts(em, caller.storeId, id) : [];
    await write(em, app, { storeId: caller.storeId, id }, draft, running);
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

async function write(
  em: EntityManager,
  app: Catalog,
  { storeId, id }: { storeId: number; id: number },
  draft: PromotionDraft,
  running: boolean,
): Promise<void> {
  await sql(
    em,
    `update catalog.promotions set updated_at = $2, name = $3, discount_type = $4, value = $5, category_id = $6, starts_at = $7, ends_at = $8,
       told_running = $9 where id = $1 and store_id = $10`,
    [
      id,
      app.db.clock.now(),
      draft.name,
      draft.discount_type,
      draft.value,
      draft.category_id,
      draft.starts_at,
      draft.ends_at,
      running,
      storeId,
    ],
  );
  await linkProducts(em, id, draft.product_ids);
}

/** A new name, or times that leave it running or not as before, change no price. */
function changesPrices(fields: string[], startedOrEnded: boolean): boolean {
  return startedOrEnded || fields.some((field) => ['discount_type', 'value', 'product_ids', 'category_id'].includes(field));
}
