import { sqlOne } from '@store/db';
import { emit } from '@store/events';
import { parseFields } from '@store/input';
import { invalid, missing, sentences } from '@store/problem';
import type { CreateRevenueCenterRequest__Output } from '@store/protos/catalog/v1/CreateRevenueCenterRequest.ts';
import type { RevenueCenterResponse } from '@store/protos/catalog/v1/RevenueCenterResponse.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { orRaced, taken } from '../taken.ts';
import { nameIsTaken, revenueCenterFields, revenueCenterView } from './revenue-center.ts';

/** POST /revenue_centers (staff). */
export async function createRevenueCenter(
  app: Catalog,
  request: CreateRevenueCenterRequest__Output,
  call: Call,
): Promise<RevenueCenterResponse | Reply<RevenueCenterResponse>> {
  if (!request.revenue_center) throw missing('revenue_center');
  const { caller } = call;
  const accepted = parseFields(revenueCenterFields, { name: '', ...request.revenue_center });
  return change({ db: app.db, call, response: 'store.catalog.v1.RevenueCenterResponse', status: 201 }, async (em) => {
    const errors = { ...accepted.errors };
    const name = accepted.values.name ?? '';
    if (await nameIsTaken(em, caller.storeId, accepted.values.name)) errors.name = [taken];
    if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
    const { id } = await orRaced(
      'name',
      sqlOne<{ id: string }>(
        em,
        'insert into catalog.revenue_centers (store_id, name, created_at, updated_at) values ($1, $2, $3, $3) returning id',
        [caller.storeId, name, app.db.clock.now()],
      ),
    );
    await emit(em, app.outbox, caller, [
      {
        name: 'revenue_center.created',
        aggregate: `revenue_center:${id}`,
        audit: {
          action: 'revenue_center.create',
          resource_type: 'RevenueCenter',
          resource_id: Number(id),
          before: null,
          after: { name },
        },
      },
    ]);
    return { revenue_center: revenueCenterView({ id, name }) };
  });
}
