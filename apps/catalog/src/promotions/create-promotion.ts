import { sqlOne } from '@store/db';
import { emit } from '@store/events';
import { invalid, missing, sentences } from '@store/problem';
import type { CreatePromotionRequest__Output } from '@store/protos/catalog/v1/CreatePromotionRequest.ts';
import type { PromotionResponse } from '@store/protos/catalog/v1/PromotionResponse.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { holdLinks } from '../products/hold-links.ts';
import { touchProducts } from '../products/touch-products.ts';
import { acceptPromotion, mergePromotion, newPromotion, promotionErrors } from './promotion.input.ts';
import { isRunning, lockPromotion, promotedProducts, promotionView } from './promotion.ts';
import { linkProducts } from './save-promotion.ts';

/** POST /promotions (staff): on some products, or on a category and its subcategories (decision D155). */
export async function createPromotion(
  app: Catalog,
  request: CreatePromotionRequest__Output,
  call: Call,
): Promise<PromotionResponse | Reply<PromotionResponse>> {
  if (!request.promotion) throw missing('promotion');
  const { caller } = call;
  const accepted = acceptPromotion({ name: '', discount_type: '', ...request.promotion }, caller.timeZone);
  const draft = mergePromotion(newPromotion, accepted);
  return change({ db: app.db, call, response: 'store.catalog.v1.PromotionResponse', status: 201 }, async (em) => {
    await holdLinks(em, caller.storeId, 'alone');
    const errors = await promotionErrors(em, caller.storeId, draft, accepted.errors);
    if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
    const now = app.db.clock.now();
    const running = isRunning(draft, now);
    const row = await sqlOne<{ id: string }>(
      em,
      `insert into catalog.promotions (store_id, name, discount_type, value, category_id, starts_at, ends_at, told_running, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id`,
      [caller.storeId, draft.name, draft.discount_type, draft.value, draft.category_id, draft.starts_at, draft.ends_at, running, now],
    );
    const id = Number(row.id);
    await linkProducts(em, id, draft.product_ids);
    if (running) await touchProducts(em, app, caller, await promotedProducts(em, caller.storeId, id));
    await emit(em, app.outbox, caller, [
      {
        name: 'promotion.created',
        aggregate: `promotion:${id}`,
        audit: { action: 'promotion.create', resource_type: 'Promotion', resource_id: id, before: null, after: draft },
      },
    ]);
    return { promotion: promotionView(await lockPromotion(em, caller.storeId, id)) };
  });
}
