import { lockRecord } from '@store/db';
import { parseId } from '@store/input';
import { change, updateRecord } from '@store/service';
import type { Verb } from '../inventory.ts';
import { acceptWarehouseLocation, WarehouseLocation, warehouseLocationView } from './warehouse-location.ts';

/** PATCH /warehouse_locations/:id (staff); ledger rows keep the name that the location had. */
export const updateWarehouseLocation: Verb<'UpdateWarehouseLocation'> = (app, request, call) =>
  change(app, call, async (em) => {
    const location = await lockRecord(em, WarehouseLocation, parseId(request.id));
    const accepted = acceptWarehouseLocation.update(request.warehouse_location);
    await updateRecord({ em, app, call }, WarehouseLocation, location, accepted);
    return { warehouse_location: warehouseLocationView(location) };
  });
