/** GET /warehouse_locations. */
import type { ListWarehouseLocationsRequest__Output } from '@store/protos/inventory/v1/ListWarehouseLocationsRequest.ts';
import type { ListWarehouseLocationsResponse } from '@store/protos/inventory/v1/ListWarehouseLocationsResponse.ts';
import type { Call } from '@store/rpc';
import type { Inventory } from '../inventory.ts';
import { type LocationRow, locationColumns, locationView } from './location.view.ts';

/** Lists the store's stock locations by name. */
export async function listWarehouseLocations(
  app: Inventory,
  _request: ListWarehouseLocationsRequest__Output,
  call: Call,
): Promise<ListWarehouseLocationsResponse> {
  const rows = await app.db.read<LocationRow>(
    'warehouse_locations',
    `select ${locationColumns} from inventory.warehouse_locations where store_id = $1 order by name, id`,
    [call.caller.storeId],
  );
  return { warehouse_locations: rows.map(locationView) };
}
