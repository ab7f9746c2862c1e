import { sql } from '@store/db';
import { emit } from '@store/events';
import { parseFields, parseId } from '@store/input';
import { invalid, missing, notFound, sentences } from '@store/problem';
import type { RevenueCenterResponse } from '@store/protos/catalog/v1/RevenueCenterResponse.ts';
import type { UpdateRevenueCenterRequest__Output } from '@store/protos/catalog/v1/UpdateRevenueCenterRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { changedFields } from '../changed-fields.ts';
import { orRaced, taken } from '../taken.ts';
import { lockRevenueCenter, nameIsTaken, revenueCenterFields, revenueCenterView } from './revenue-center.ts';

/** PATCH /revenue_centers/:id (staff). */
export async function updateRevenueCenter(
  app: Catalog,
  request: UpdateRevenueCenterRequest__Output,
  call: Call,
): Promise<RevenueCenterResponse | Reply<RevenueCenterResponse>> {
  const id = parseId(request.id);
  if (!request.revenue_center) throw missing('revenue_center');
  if (id === undefined) throw notFound('Revenue center');
  const { caller } = call;
  const accepted = parseFields(revenueCenterFields, request.revenue_center);
  return change({ db: app.db, call, response: 'store.catalog.v1.RevenueCenterResponse' }, async (em) => {
    const stored = await lockRevenueCenter(em, caller.storeId, id);
    const center = { ...stored, ...accepted.values };
    const errors = { ...accepted.errors };
    if (await nameIsTaken(em, caller.storeId, accepted.values.name, id)) errors.name = [taken];
    if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
    const difference = changedFields(stored, center);
    if (difference) {
      await orRaced(
        'name',
        sql(em, 'update catalog.revenue_centers set name = $3, updated_at = $4 where store_id = $1 and id = $2', [
          caller.storeId,
          id,
          center.name,
          app.db.clock.now(),
        ]),
      );
      await emit(em, app.outbox, caller, [
        {
          name: 'revenue_center.updated',
          aggregate: `revenue_center:${id}`,
          audit: { action: 'revenue_center.update', resource_type: 'RevenueCenter', resource_id: id, ...difference },
        },
      ]);
    }
    return { revenue_center: revenueCenterView(center) };
  });
}
