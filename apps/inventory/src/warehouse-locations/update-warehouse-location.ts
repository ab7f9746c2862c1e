/** PATCH /warehouse_locations/:id. */

import { type EntityManager, isUniqueViolation, sql } from '@store/db';
import { emit } from '@store/events';
import { parseId } from '@store/input';
import { invalid, notFound } from '@store/problem';
import type { UpdateWarehouseLocationRequest__Output } from '@store/protos/inventory/v1/UpdateWarehouseLocationRequest.ts';
import type { WarehouseLocationResponse } from '@store/protos/inventory/v1/WarehouseLocationResponse.ts';
import type { Call, Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Inventory } from '../inventory.ts';
import { nameTaken } from './create-warehouse-location.ts';
import { acceptLocation } from './location.input.ts';
import { type LocationRow, locationColumns, locationView } from './location.view.ts';

/** Changes a stock location; ledger rows keep the name it had. */
export function updateWarehouseLocation(
  app: Inventory,
  request: UpdateWarehouseLocationRequest__Output,
  call: Call,
): Promise<WarehouseLocationResponse | Reply<WarehouseLocationResponse>> {
  const { caller } = call;
  return change<WarehouseLocationResponse>({ db: app.db, call, response: 'store.inventory.v1.WarehouseLocationResponse' }, async (em) => {
    const [row] = await sql<LocationRow>(
      em,
      `select ${locationColumns} from inventory.warehouse_locations where store_id = $1 and id = $2 for no key update`,
      [caller.storeId, parseId(request.id) ?? null],
    );
    if (!row) throw notFound('Warehouse location');
    const before = locationView(row);
    const after = { ...before, ...acceptLocation(request.warehouse_location) };
    if (after.name === before.name && after.kind === before.kind) return { warehouse_location: before };
    await save(em, app, caller.storeId, after);
    await emit(em, app.outbox, caller, [
      {
        name: 'warehouse_location.updated',
        aggregate: `location-${after.id}`,
        audit: {
          action: 'warehouse_location.update',
          resource_type: 'WarehouseLocation',
          resource_id: after.id,
          before: changedFields(before, after),
          after: changedFields(after, before),
        },
      },
    ]);
    return { warehouse_location: after };
  });
}

interface Location {
  id: number;
  name: string;
  kind: string;
}

async function save(em: EntityManager, app: Inventory, storeId: number, location: Location): Promise<void> {
  try {
    await sql(em, 'update inventory.warehouse_locations set name = $3, kind = $4, updated_at = $5 where store_id = $1 and id = $2', [
      storeId,
      location.id,
      location.name,
      location.kind,
      app.db.clock.now(),
    ]);
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid([nameTaken]);
    throw error;
  }
}

function changedFields(one: Location, other: Location): Partial<Location> {
  return { ...(one.name !== other.name && { name: one.name }), ...(one.kind !== other.kind && { kind: one.kind }) };
}
