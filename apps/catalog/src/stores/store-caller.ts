import { type EntityManager, sql } from '@store/db';
import { type Caller, systemCaller } from '@store/rpc';

/** Background work has no request: what it needs of the store comes from the copy (D184). */
export async function storeCaller(em: EntityManager, storeId: number): Promise<Caller> {
  const [store] = await sql<{ time_zone: string; features: string[] }>(em, 'select time_zone, features from catalog.stores where id = $1', [
    storeId,
  ]);
  return systemCaller(storeId, store ? { timeZone: store.time_zone, features: new Set(store.features) } : {});
}
