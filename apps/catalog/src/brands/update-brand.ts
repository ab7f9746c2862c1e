import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, updateRecord } from '@store/service';
import type { Verb } from '../catalog.ts';
import { refreshVariations } from '../products/denormalised-names.ts';
import { touchProducts } from '../products/touch-products.ts';
import { acceptBrand, Brand, brandView } from './brand.ts';
import { lockProductsOf } from './lock-products-of.ts';

/** PATCH /brands/:id (staff). A rename emits product.updated for every product that shows the brand. */
export const updateBrand: Verb<'UpdateBrand'> = async (app, request, call) => {
  const accepted = acceptBrand.update(request.brand);
  return change(app, call, async (em) => {
    const brand = await lockRecord(em, Brand, parseId(request.id));
    await updateRecord({ em, app, call }, Brand, brand, accepted, async ({ after }) => {
      if (!('name' in after)) return;
      const products = await lockProductsOf(em, brand);
      await touchProducts(em, app, call.caller, products);
      await refreshVariations(em, brand.storeId, products);
    });
    return { brand: brandView(brand) };
  });
};
