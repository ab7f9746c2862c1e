/** Products whose public shape changed with a brand, a category or a promotion. */
import { type EntityManager, planByValues, sql } from '@store/db';
import type { Caller } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { batchMax, refreshKept } from './denormalised-names.ts';
import { emitUpdated } from './emit-products.ts';
import { lockThese } from './lock-living.ts';

/**
 * Bumps updated_at, refreshes what the rows keep of others and emits product.updated, so that a poller of
 * updated_since and a subscriber both see it. The audit entry belongs to the change that caused it.
 */
export async function touchProducts(em: EntityManager, app: Catalog, caller: Caller, ids: number[]): Promise<void> {
  for await (const batch of refreshed(em, caller.storeId, ids)) {
    await sql(em, 'update catalog.products set updated_at = $3 where store_id = $1 and id = any ($2::bigint[])', [
      caller.storeId,
      batch,
      app.db.clock.now(),
    ]);
    await emitUpdated(em, app, caller, batch);
  }
}

/** Refreshes the copies in the rows where only their order changed, which emits nothing. */
export async function reorderCategories(em: EntityManager, storeId: number, ids: number[]): Promise<void> {
  for await (const _batch of refreshed(em, storeId, ids));
}

/** Deleted ones are refreshed when they are restored. */
async function* refreshed(em: EntityManager, storeId: number, ids: number[]): AsyncGenerator<number[]> {
  const inOrder = [...new Set(ids)].sort((a, b) => a - b);
  planByValues(em, inOrder.length);
  for (let from = 0; from < inOrder.length; from += batchMax) {
    const batch = await lockThese(em, storeId, inOrder.slice(from, from + batchMax));
    await refreshKept(em, storeId, batch);
    yield batch;
  }
}
