import { change, createRecord } from '@store/service';
import type { Verb } from '../inventory.ts';
import { acceptWarehouseLocation, WarehouseLocation, warehouseLocationView } from './warehouse-location.ts';

/** POST /warehouse_locations (staff). */
export const createWarehouseLocation: Verb<'CreateWarehouseLocation'> = async (app, request, call) => {
  const accepted = acceptWarehouseLocation.create(request.warehouse_location);
  return change(app, call, async (em) => {
    const location = await createRecord({ em, app, call }, WarehouseLocation, accepted, { kind: 'back' }, warehouseLocationView);
    return { warehouse_location: warehouseLocationView(location) };
  });
};
