import { sql } from '@store/db';
import { emit } from '@store/events';
import { parseFields, parseId } from '@store/input';
import { invalid, missing, notFound, sentences } from '@store/problem';
import type { BrandResponse } from '@store/protos/catalog/v1/BrandResponse.ts';
import type { UpdateBrandRequest__Output } from '@store/protos/catalog/v1/UpdateBrandRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { changedFields } from '../changed-fields.ts';
import { refreshVariations } from '../products/denormalised-names.ts';
import { touchProducts } from '../products/touch-products.ts';
import { orRaced, taken } from '../taken.ts';
import { brandFields, brandView, lockBrand, lockProductsOf, nameIsTaken } from './brand.ts';

/** PATCH /brands/:id (staff): a rename is told of every product that shows it, and search finds them by it. */
export async function updateBrand(
  app: Catalog,
  request: UpdateBrandRequest__Output,
  call: Call,
): Promise<BrandResponse | Reply<BrandResponse>> {
  const id = parseId(request.id);
  if (!request.brand) throw missing('brand');
  if (id === undefined) throw notFound('Brand');
  const { caller } = call;
  const accepted = parseFields(brandFields, request.brand);
  return change({ db: app.db, call, response: 'store.catalog.v1.BrandResponse' }, async (em) => {
    const stored = await lockBrand(em, caller.storeId, id);
    const brand = { ...stored, ...accepted.values };
    const errors = { ...accepted.errors };
    if (await nameIsTaken(em, caller.storeId, accepted.values.name, id)) errors.name = [taken];
    if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
    const difference = changedFields(stored, brand);
    if (!difference) return { brand: brandView(stored) };
    await orRaced(
      'name',
      sql(em, 'update catalog.brands set name = $3, description = $4, updated_at = $5 where store_id = $1 and id = $2', [
        caller.storeId,
        id,
        brand.name,
        brand.description,
        app.db.clock.now(),
      ]),
    );
    if ('name' in difference.after) {
      const products = await lockProductsOf(em, caller.storeId, id);
      await touchProducts(em, app, caller, products);
      await refreshVariations(em, caller.storeId, products);
    }
    await emit(em, app.outbox, caller, [
      {
        name: 'brand.updated',
        aggregate: `brand:${id}`,
        audit: { action: 'brand.update', resource_type: 'Brand', resource_id: id, ...difference },
      },
    ]);
    return { brand: brandView(brand) };
  });
}
