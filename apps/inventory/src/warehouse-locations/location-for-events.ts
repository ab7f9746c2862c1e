/** Where stock that an event moves lies, in a store that tracks locations. Text, as every sale runs it. */
import { type EntityManager, sql } from '@store/db';
import type { Named } from '../stock-adjustments/ledger-line.ts';

export type Place = 'floor' | 'back';

/** D220: the location of the lowest id of each kind; neither is deleted until the transaction ends. */
export async function locationForEvents(em: EntityManager, storeId: number): Promise<Map<Place, Named>> {
  const rows = await sql<{ id: number; name: string; kind: Place }>(
    em,
    'select id, name, kind from inventory.warehouse_locations where store_id = $1 order by id for key share',
    [storeId],
  );
  const first = new Map<Place, Named>();
  for (const { id, name, kind } of rows) if (!first.has(kind)) first.set(kind, { id, name });
  return first;
}
