import { sqlOne } from '@store/db';
import { emit } from '@store/events';
import { parseFields } from '@store/input';
import { invalid, missing, sentences } from '@store/problem';
import type { BrandResponse } from '@store/protos/catalog/v1/BrandResponse.ts';
import type { CreateBrandRequest__Output } from '@store/protos/catalog/v1/CreateBrandRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { orRaced, taken } from '../taken.ts';
import { brandFields, brandView, nameIsTaken } from './brand.ts';

/** POST /brands (staff). */
export async function createBrand(
  app: Catalog,
  request: CreateBrandRequest__Output,
  call: Call,
): Promise<BrandResponse | Reply<BrandResponse>> {
  if (!request.brand) throw missing('brand');
  const { caller } = call;
  const accepted = parseFields(brandFields, { name: '', ...request.brand });
  return change({ db: app.db, call, response: 'store.catalog.v1.BrandResponse', status: 201 }, async (em) => {
    const errors = { ...accepted.errors };
    const name = accepted.values.name ?? '';
    const description = accepted.values.description ?? null;
    if (await nameIsTaken(em, caller.storeId, accepted.values.name)) errors.name = [taken];
    if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
    const { id } = await orRaced(
      'name',
      sqlOne<{ id: string }>(
        em,
        'insert into catalog.brands (store_id, name, description, created_at, updated_at) values ($1, $2, $3, $4, $4) returning id',
        [caller.storeId, name, description, app.db.clock.now()],
      ),
    );
    await emit(em, app.outbox, caller, [
      {
        name: 'brand.created',
        aggregate: `brand:${id}`,
        audit: { action: 'brand.create', resource_type: 'Brand', resource_id: Number(id), before: null, after: { name, description } },
      },
    ]);
    return { brand: brandView({ id, name, description }) };
  });
}
