import { lockRecord, sql } from '@store/db';
import { parseId } from '@store/input';
import { invalid } from '@store/problem';
import { change, deleteRecord } from '@store/service';
import type { Verb } from '../inventory.ts';
import { tables } from '../tables.ts';
import { WarehouseLocation, warehouseLocationView } from './warehouse-location.ts';

/** DELETE /warehouse_locations/:id (staff): one that holds no stock; ledger rows keep its id and name. */
export const deleteWarehouseLocation: Verb<'DeleteWarehouseLocation'> = (app, request, call) =>
  change(app, call, async (em) => {
    // The lock waits for writers who are putting stock there and holds off those who would.
    const location = await lockRecord(em, WarehouseLocation, parseId(request.id));
    const { id, storeId } = location;
    const held = tables.selectFrom('location_stock').select('product_id').where('store_id', '=', storeId).where('location_id', '=', id);
    const [stock] = await sql(em, held.where('quantity', '<>', '0').limit(1));
    if (stock) throw invalid(['Warehouse location still holds stock']);
    await sql(em, tables.deleteFrom('location_stock').where('store_id', '=', storeId).where('location_id', '=', id));
    await deleteRecord({ em, app, call }, WarehouseLocation, location, warehouseLocationView(location));
    return { success: true, message: 'Warehouse location deleted' };
  });
