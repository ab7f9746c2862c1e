/** Listens to inventory: what ApplyStock could not deliver arrives here, through the same handler. */
import { type EntityManager, sql } from '@store/db';
import type { Message } from '@store/events';
import { type Caller, systemCaller } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { applyLevels } from './apply-stock.ts';

export function wantsStock(message: Message): boolean {
  return message.internal?.stock !== undefined;
}

/** Levels of a batch, store by store. */
export async function consumeStock(app: Catalog, em: EntityManager, messages: Message[]): Promise<void> {
  const byStore = Map.groupBy(messages, (message) => message.storeId);
  for (const [storeId, mine] of [...byStore].sort(([a], [b]) => a - b)) {
    const caller = await storeCaller(em, storeId);
    await applyLevels(
      em,
      app,
      caller,
      mine.flatMap((message) => message.internal?.stock ?? []),
    );
  }
}

/** Background work has no request: what it needs of the store comes from the copy (decision D184). */
async function storeCaller(em: EntityManager, storeId: number): Promise<Caller> {
  const [store] = await sql<{ time_zone: string; features: string[] }>(em, 'select time_zone, features from catalog.stores where id = $1', [
    storeId,
  ]);
  return systemCaller(storeId, store ? { timeZone: store.time_zone, features: new Set(store.features) } : {});
}
