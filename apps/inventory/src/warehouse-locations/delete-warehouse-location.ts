/** DELETE /warehouse_locations/:id. */

import { sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { invalid, notFound } from '@store/problem';
import type { Done } from '@store/protos/api/v1/Done.ts';
import type { WarehouseLocationIdRequest__Output } from '@store/protos/inventory/v1/WarehouseLocationIdRequest.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory } from '../inventory.ts';
import { type LocationRow, locationColumns, locationView } from './location.view.ts';

/** Deletes a stock location that holds no stock; ledger rows keep its id and name. */
export function deleteWarehouseLocation(
  app: Inventory,
  request: WarehouseLocationIdRequest__Output,
  call: Call,
): Promise<Done | Reply<Done>> {
  const { caller } = call;
  return change<Done>({ db: app.db, call, response: 'store.api.v1.Done' }, async (em) => {
    const place = [caller.storeId, parseId(request.id) ?? null];
    // The lock waits for writers who are putting stock there and holds off those who would.
    const [row] = await sql<LocationRow>(
      em,
      `select ${locationColumns} from inventory.warehouse_locations where store_id = $1 and id = $2 for update`,
      place,
    );
    if (!row) throw notFound('Warehouse location');
    const held = await sql(
      em,
      'select 1 from inventory.location_stock where store_id = $1 and location_id = $2 and quantity <> 0 limit 1',
      place,
    );
    if (held.length > 0) throw invalid(['Warehouse location still holds stock']);
    await sql(em, 'delete from inventory.location_stock where store_id = $1 and location_id = $2', place);
    await sql(em, 'delete from inventory.warehouse_locations where store_id = $1 and id = $2', place);
    const location = locationView(row);
    await emit(em, app.outbox, caller, [
      {
        name: 'warehouse_location.deleted',
        aggregate: `location-${location.id}`,
        audit: {
          action: 'warehouse_location.delete',
          resource_type: 'WarehouseLocation',
          resource_id: location.id,
          before: location,
          after: null,
        },
      },
    ]);
    return { success: true, message: 'Warehouse location deleted' };
  });
}
