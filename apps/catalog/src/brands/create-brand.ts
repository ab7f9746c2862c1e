import { change, createRecord } from '@store/service';
import type { Verb } from '../catalog.ts';
import { acceptBrand, Brand, brandView } from './brand.ts';

/** POST /brands (staff). */
export const createBrand: Verb<'CreateBrand'> = async (app, request, call) => {
  const accepted = acceptBrand.create(request.brand);
  return change(app, call, async (em) => {
    const brand = await createRecord({ em, app, call }, Brand, accepted, { description: null });
    return { brand: brandView(brand) };
  });
};
