import { byName } from '@store/db';
import type { Verb } from '../inventory.ts';
import { tables } from '../tables.ts';
import { warehouseLocationView } from './warehouse-location.ts';

/** Lists that are not paginated are capped (D44). */
const locationsMax = 500;

/** GET /warehouse_locations (staff): by name. */
export const listWarehouseLocations: Verb<'ListWarehouseLocations'> = async (app, _request, { caller }) => {
  const locations = tables.selectFrom('warehouse_locations').select(['id', 'name', 'kind']).where('store_id', '=', caller.storeId);
  const rows = await app.db.read(locations.orderBy(byName).orderBy('id').limit(locationsMax));
  return { warehouse_locations: rows.map(warehouseLocationView) };
};
