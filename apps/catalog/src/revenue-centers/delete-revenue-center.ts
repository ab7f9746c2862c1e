import { sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import type { Done } from '@store/protos/api/v1/Done.ts';
import type { IdRequest__Output } from '@store/protos/catalog/v1/IdRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog } from '../catalog.ts';
import { lockRevenueCenter } from './revenue-center.ts';

/** DELETE /revenue_centers/:id (staff): what named it loses it, and what named no other is visible in all (decision D58). */
export async function deleteRevenueCenter(app: Catalog, request: IdRequest__Output, call: Call): Promise<Done | Reply<Done>> {
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Revenue center');
  const { caller } = call;
  return change({ db: app.db, call, response: 'store.api.v1.Done' }, async (em) => {
    const { name } = await lockRevenueCenter(em, caller.storeId, id);
    await sql(em, 'delete from catalog.revenue_centers where store_id = $1 and id = $2', [caller.storeId, id]);
    await emit(em, app.outbox, caller, [
      {
        name: 'revenue_center.deleted',
        aggregate: `revenue_center:${id}`,
        audit: { action: 'revenue_center.delete', resource_type: 'RevenueCenter', resource_id: id, before: { name }, after: null },
      },
    ]);
    return { success: true, message: 'Revenue center deleted' };
  });
}
