import { type EntityManager, sql } from '@store/db';
import type { Named } from '../stock-adjustments/ledger-line.ts';
import { tables } from '../tables.ts';

/** D108: an unknown location is a 422; 404 is for the product. */
export const locationNotFound = 'Warehouse location not found';

/** Locations of the store by id. None is deleted until the transaction ends, so no stock is put at one that is gone. */
export async function lockLocations(em: EntityManager, storeId: number, ids: number[]): Promise<Map<number, Named>> {
  if (ids.length === 0) return new Map();
  const locations = tables.selectFrom('warehouse_locations').select(['id', 'name']).where('store_id', '=', storeId).where('id', 'in', ids);
  const locked = await sql(em, locations.orderBy('id').forKeyShare());
  return new Map(locked.map((location) => [location.id, location]));
}
