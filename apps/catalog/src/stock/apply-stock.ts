import { type EntityManager, sql } from '@store/db';
import type { Caller } from '@store/rpc';
import type { Catalog, Verb } from '../catalog.ts';
import { emitProducts } from '../products/emit-products.ts';

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
  const applied = await app.db.unit(caller.storeId, (em) => applyLevels(em, app, caller, levels));
  return { applied };
};

/**
 * Takes over the levels that are newer than the copy, bumps updated_at and tells of each product once
 * (D60). Older and repeated levels change nothing, so order and repetition do not matter.
 */
export async function applyLevels(em: EntityManager, app: Catalog, caller: Caller, levels: Level[]): Promise<number> {
  const newest = new Map<number, Level>();
  for (const level of levels) {
    if (level.version > (newest.get(level.product_id)?.version ?? 0)) newest.set(level.product_id, level);
  }
  if (newest.size === 0) return 0;
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
    [caller.storeId, [...newest.keys()], app.db.clock.now(), JSON.stringify([...newest.values()])],
  );
  // A count that found what was expected moves nothing, and a deleted product tells nothing.
  const moved = rows.filter((row) => row.moved && !row.deleted).map((row) => row.id);
  await emitProducts(
    em,
    app,
    caller,
    moved.sort((a, b) => a - b).map((id) => ({ id, name: 'product.updated' })),
  );
  return rows.length;
}
