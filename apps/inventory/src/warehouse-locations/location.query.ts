/** Locations as other verbs need them. */
import { type EntityManager, sql } from '@store/db';
import type { Named } from '../stock-adjustments/ledger-line.ts';

/** Decision D108: an unknown location is a 422; 404 is for the product. */
export const locationNotFound = 'Warehouse location not found';

/**
 * Locations of the store by id. They are kept from being deleted until the transaction ends, so that
 * no stock is ever put at a location that is gone.
 */
export async function lockLocations(em: EntityManager, storeId: number, ids: number[]): Promise<Map<number, Named>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ id: string; name: string }>(
    em,
    'select id, name from inventory.warehouse_locations where store_id = $1 and id = any($2) order by id for key share',
    [storeId, ids],
  );
  return new Map(rows.map((row) => [Number(row.id), { id: Number(row.id), name: row.name }]));
}

/** Decision D109: floor is what lies at locations of the sales floor, back is the rest. */
export async function stockSplit(em: EntityManager, storeId: number, productId: number): Promise<{ floor: string; back: string }> {
  const [split] = await sql<{ floor: string; back: string }>(
    em,
    `select floor.quantity as floor, item.quantity - floor.quantity as back
     from inventory.stock_items item, lateral (
       select coalesce(sum(held.quantity), 0) as quantity
       from inventory.location_stock held join inventory.warehouse_locations location
         on location.store_id = held.store_id and location.id = held.location_id
       where held.store_id = $1 and held.product_id = $2 and location.kind = 'floor') floor
     where item.store_id = $1 and item.product_id = $2`,
    [storeId, productId],
  );
  return split ?? { floor: '0', back: '0' };
}
