/**
 * Ledger rows from events: sales, voids, receipts. They are never refused (D220): they have happened, whatever has become
 * of the product. Text, as every movement of stock runs it.
 */
import { type EntityManager, sql } from '@store/db';
import { storeCaller } from '@store/service';
import type { Inventory } from '../inventory.ts';
import { locationForEvents, type Place } from '../warehouse-locations/location-for-events.ts';
import { locationsFeature } from './create-stock-adjustment.ts';
import { writeRows } from './ledger.ts';
import type { LedgerProduct, Named } from './ledger-line.ts';
import type { Source } from './stock-adjustment.ts';

/** A movement that an event reports; the product's name and sku are the event's snapshot. */
export interface EventMovement {
  storeId: number;
  /** Unique in the store, such as `sale:7001:0`: a movement that is reported again is not written again. */
  key: string;
  product: LedgerProduct;
  type: 'sale' | 'void' | 'receive';
  /** Signed decimal text. */
  change: string;
  /** Where it lies in a store that tracks locations; null for a bundle, which has no location (D107). */
  place: Place | null;
  /** Receipt or order number. */
  reason: string;
  user: Named | null;
  source: Source;
}

/** Writes the movements that are new, store by store, in the order given. */
export async function writeMovements(em: EntityManager, app: Inventory, movements: EventMovement[]): Promise<void> {
  const byStore = Map.groupBy(movements, (movement) => movement.storeId);
  for (const [storeId, mine] of [...byStore].sort(([a], [b]) => a - b)) {
    const fresh = await notYetWritten(em, storeId, mine);
    if (fresh.length > 0) await writeOfStore(em, app, storeId, fresh);
  }
}

async function writeOfStore(em: EntityManager, app: Inventory, storeId: number, movements: EventMovement[]): Promise<void> {
  const caller = await storeCaller(em, 'inventory', storeId);
  const locations = caller.features.has(locationsFeature) ? await locationForEvents(em, storeId) : new Map<Place, Named>();
  const lines = movements.map(({ key, product, type, change, place, reason, user, source }) => ({
    product,
    type,
    movement: { by: change },
    location: place === null ? undefined : locations.get(place),
    reason,
    user,
    source,
    movementKey: key,
  }));
  const { tooLarge } = await writeRows(em, app, caller, lines);
  // Thrown, so that the event waits in dead_letters and nothing is lost.
  if (tooLarge.size > 0) throw new Error(`the stock of product ${[...tooLarge].join(', ')} would be too large`);
}

/** The inbox already drops repeated events; this drops a movement that another event repeats. */
async function notYetWritten(em: EntityManager, storeId: number, movements: EventMovement[]): Promise<EventMovement[]> {
  const byKey = new Map(movements.map((movement) => [movement.key, movement]));
  const written = await sql<{ movement_key: string }>(
    em,
    'select movement_key from inventory.stock_adjustments where store_id = $1 and movement_key = any ($2)',
    [storeId, [...byKey.keys()]],
  );
  for (const { movement_key } of written) byKey.delete(movement_key);
  return [...byKey.values()];
}
