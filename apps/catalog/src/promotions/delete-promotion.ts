import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, recordChange } from '@store/service';
import type { Verb } from '../catalog.ts';
import { holdLinks } from '../products/hold-links.ts';
import { touchProducts } from '../products/touch-products.ts';
import { namedProducts, promotedProducts } from './promotion.query.ts';
import { hasShownPrices, Promotion } from './promotion.ts';
import { draftOf } from './save-promotion.ts';

/** DELETE /promotions/:id (staff): emits product.updated for products that it made cheaper. */
export const deletePromotion: Verb<'DeletePromotion'> = (app, request, call) =>
  change(app, call, async (em) => {
    const { caller } = call;
    await holdLinks(em, caller.storeId, 'alone');
    const promotion = await lockRecord(em, Promotion, parseId(request.id));
    const { id } = promotion;
    const before = draftOf(promotion, await namedProducts(em, caller.storeId, id));
    const products = hasShownPrices(promotion, app.db.clock.now()) ? await promotedProducts(em, caller.storeId, id) : [];
    await em.remove(promotion).flush();
    await touchProducts(em, app, caller, products);
    await recordChange(em, app, call, Promotion, id, { before, after: null });
    return { success: true, message: 'Promotion deleted' };
  });
