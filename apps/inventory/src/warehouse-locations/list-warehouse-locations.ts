import { byName } from '@store/db';
import { cappedList } from '@store/service';
import type { Verb } from '../inventory.ts';
import { tables } from '../tables.ts';
import { warehouseLocationView } from './warehouse-location.ts';

/** GET /warehouse_locations (staff): by name. */
export const listWarehouseLocations: Verb<'ListWarehouseLocations'> = async (app, _request, { caller }) => {
  const locations = tables.selectFrom('warehouse_locations').select(['id', 'name', 'kind']).where('store_id', '=', caller.storeId);
  return cappedList({
    read: (limit) => app.db.read(locations.orderBy(byName).orderBy('id').limit(limit)),
    answer: (rows) => ({ warehouse_locations: rows.map(warehouseLocationView) }),
  });
};
