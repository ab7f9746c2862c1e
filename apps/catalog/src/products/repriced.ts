/** Finds the products whose effective price a change of other rows changed. */
import { type EntityManager, sql } from '@store/db';
import type { Caller } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { lockThese } from './lock-living.ts';
import { bestPriceWhere, runningNow } from './product.query.ts';

/**
 * Runs `change` and returns the candidates whose price it changed; the caller emits their events. The
 * candidates are locked first: a concurrent write of one would emit the price without this change.
 */
export async function repricedBy(
  em: EntityManager,
  app: Catalog,
  caller: Caller,
  candidates: () => Promise<number[]>,
  change: () => Promise<void>,
): Promise<number[]> {
  const { storeId } = caller;
  const ids = (await hasPromotions(em, storeId, app.db.clock.now())) ? await lockThese(em, storeId, await candidates()) : [];
  const before = await effectivePrices(em, storeId, app.db.clock.now(), ids);
  await change();
  const after = await effectivePrices(em, storeId, app.db.clock.now(), ids);
  return ids.filter((id) => before.get(id)!.now !== after.get(id)!.now || before.get(id)!.announced !== after.get(id)!.now);
}

/** The products with their variations, deleted ones left out. */
export async function withVariations(em: EntityManager, storeId: number, ids: number[]): Promise<number[]> {
  return [...ids, ...(await variationIds(em, storeId, ids))];
}

export async function variationIds(em: EntityManager, storeId: number, parentIds: number[]): Promise<number[]> {
  if (parentIds.length === 0) return [];
  const rows = await sql<{ id: number }>(
    em,
    'select id from catalog.products where store_id = $1 and parent_id = any ($2::bigint[]) and deleted_at is null order by id',
    [storeId, parentIds],
  );
  return rows.map((row) => row.id);
}

/** A promotion that ended a moment ago counts until its products' events were emitted. */
async function hasPromotions(em: EntityManager, storeId: number, now: Date): Promise<boolean> {
  const rows = await sql(
    em,
    `select 1 from catalog.promotions pr where pr.store_id = $1 and (pr.announced_running or ${runningNow}) limit 1`,
    [storeId, now],
  );
  return rows.length > 0;
}

interface EffectivePrice {
  /** By the clock. */
  now: string;
  /** By the promotions that were announced, which follow the clock within seconds. */
  announced: string;
}

async function effectivePrices(em: EntityManager, storeId: number, now: Date, ids: number[]): Promise<Map<number, EffectivePrice>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<EffectivePrice & { id: number }>(
    em,
    `select p.id, least(p.price, (${bestPriceWhere(runningNow)})) as now, least(p.price, (${bestPriceWhere('pr.announced_running')})) as announced
     from catalog.products p where p.store_id = $1 and p.id = any ($3::bigint[])`,
    [storeId, now, ids],
  );
  return new Map(rows.map(({ id, ...prices }) => [id, prices]));
}
