import { change, updateRecord } from '@store/service';
import type { Verb } from '../catalog.ts';
import { refreshVariations } from '../products/denormalised-names.ts';
import { touchProducts } from '../products/touch-products.ts';
import { acceptBrand, Brand, brandView } from './brand.ts';
import { lockBrand, lockProductsOf } from './lock-brand.ts';

/** PATCH /brands/:id (staff). A rename emits product.updated for every product that shows the brand. */
export const updateBrand: Verb<'UpdateBrand'> = async (app, request, call) => {
  const accepted = acceptBrand.update(request.brand);
  return change(app, call, async (em) => {
    const brand = await lockBrand(em, call.caller.storeId, request.id);
    // Before the brand is written: a new name excludes what asks for the brand after its product.
    const products = accepted.values.name === undefined ? [] : await lockProductsOf(em, brand);
    await updateRecord({ em, app, call }, Brand, brand, accepted, async ({ after }) => {
      if (!('name' in after)) return;
      await touchProducts(em, app, call.caller, products);
      await refreshVariations(em, brand.storeId, products);
    });
    return { brand: brandView(brand) };
  });
};
