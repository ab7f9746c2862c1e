/** POST /warehouse_locations. */

import { sql } from '@store/db';
import { emit } from '@store/events';
import { invalid } from '@store/problem';
import type { CreateWarehouseLocationRequest__Output } from '@store/protos/inventory/v1/CreateWarehouseLocationRequest.ts';
import type { WarehouseLocationResponse } from '@store/protos/inventory/v1/WarehouseLocationResponse.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory } from '../inventory.ts';
import { acceptLocation } from './location.input.ts';
import { type LocationRow, locationColumns, locationView } from './location.view.ts';

const kindDefault = 'back';
export const nameTaken = 'Name has already been taken';

/** Creates a stock location. */
export function createWarehouseLocation(
  app: Inventory,
  request: CreateWarehouseLocationRequest__Output,
  call: Call,
): Promise<WarehouseLocationResponse | Reply<WarehouseLocationResponse>> {
  const { caller } = call;
  return change<WarehouseLocationResponse>(
    { db: app.db, call, response: 'store.inventory.v1.WarehouseLocationResponse', status: 201 },
    async (em) => {
      const { name, kind = kindDefault } = acceptLocation(request.warehouse_location);
      if (name === undefined) throw invalid(["Name can't be blank"]);
      const [row] = await sql<LocationRow>(
        em,
        `insert into inventory.warehouse_locations (store_id, name, kind, created_at, updated_at) values ($1, $2, $3, $4, $4)
         on conflict (store_id, name) do nothing returning ${locationColumns}`,
        [caller.storeId, name, kind, app.db.clock.now()],
      );
      if (!row) throw invalid([nameTaken]);
      const location = locationView(row);
      await emit(em, app.outbox, caller, [
        {
          name: 'warehouse_location.created',
          aggregate: `location-${location.id}`,
          audit: {
            action: 'warehouse_location.create',
            resource_type: 'WarehouseLocation',
            resource_id: location.id,
            before: null,
            after: location,
          },
        },
      ]);
      return { warehouse_location: location };
    },
  );
}
