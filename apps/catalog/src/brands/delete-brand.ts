import { change, deleteRecord } from '@store/service';
import type { Verb } from '../catalog.ts';
import { refreshVariations } from '../products/denormalised-names.ts';
import { touchProducts } from '../products/touch-products.ts';
import { Brand } from './brand.ts';
import { clearBrand, lockBrand, lockProductsOf } from './lock-brand.ts';

/** DELETE /brands/:id (staff): its products stay and lose it. */
export const deleteBrand: Verb<'DeleteBrand'> = (app, request, call) =>
  change(app, call, async (em) => {
    const brand = await lockBrand(em, call.caller.storeId, request.id);
    const products = await lockProductsOf(em, brand);
    await clearBrand(em, brand);
    const before = { name: brand.name, description: brand.description };
    await deleteRecord({ em, app, call }, Brand, brand, before, async () => {
      await touchProducts(em, app, call.caller, products);
      await refreshVariations(em, call.caller.storeId, products);
    });
    return { success: true, message: 'Brand deleted' };
  });
