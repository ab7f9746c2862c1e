import { type EntityManager, planForMany, sql } from '@store/db';
import type { Catalog, Verb } from '../catalog.ts';
import { emitUpdated } from '../products/emit-products.ts';

/** A product's stock as inventory committed it. */
export interface Level {
  product_id: number;
  stock: string;
  version: number;
}

/** Asked by inventory after its commit and before it answers; the event brings the same levels again. */
export const applyStock: Verb<'ApplyStock'> = async (app, request, { caller }) => {
  const levels = (request.levels ?? []).map((level) => ({
    product_id: Number(level.product_id),
    stock: level.stock ?? '0',
    version: Number(level.version),
  }));
  return app.db.unit(caller.storeId, async (em) => {
    await planForMany(em, levels.length);
    const { applied, moved } = await applyLevels(em, app, caller.storeId, levels);
    await emitUpdated(em, app, caller, moved);
    return { applied };
  });
};

/**
 * Takes over the levels that are newer than the copy, and bumps updated_at. Older and repeated levels change nothing, so order
 * and repetition do not matter. Returns how many it took over, and the products, not deleted, whose stock is another now.
 */
export async function applyLevels(
  em: EntityManager,
  { db }: Pick<Catalog, 'db'>,
  storeId: number,
  levels: Level[],
): Promise<{ applied: number; moved: number[] }> {
  const newest = new Map<number, Level>();
  for (const level of levels) {
    if (level.version > (newest.get(level.product_id)?.version ?? 0)) newest.set(level.product_id, level);
  }
  if (newest.size === 0) return { applied: 0, moved: [] };
  const rows = await sql<{ id: number; moved: boolean; deleted: boolean }>(
    em,
    // Locked in id order, and read as the lock found them: what another transaction committed meanwhile is seen.
    `with was as materialized (
       select id, stock, stock_version from catalog.products where store_id = $1 and id = any ($2::bigint[]) order by id for update)
     update catalog.products p set stock = x.stock, stock_version = x.version,
       updated_at = case when was.stock <> x.stock then $3 else p.updated_at end
     from json_to_recordset($4::json) as x(product_id bigint, stock numeric, version bigint) join was on was.id = x.product_id
     where p.id = x.product_id and p.store_id = $1 and was.stock_version < x.version
     returning p.id, was.stock <> x.stock as moved, p.deleted_at is not null as deleted`,
    [storeId, [...newest.keys()], db.clock.now(), JSON.stringify([...newest.values()])],
  );
  // A count that found what was expected moves nothing.
  return { applied: rows.length, moved: rows.filter((row) => row.moved && !row.deleted).map((row) => row.id) };
}
