import { askIn, type EntityManager, planByValues, sql } from '@store/db';
import type { Caller } from '@store/rpc';
import { pacedEach } from '@store/shares/asker';
import type { Catalog, Verb } from '../catalog.ts';
import { emitUpdated, emitWritten } from '../products/emit-products.ts';
import { type OneRow, oneColumns, withLinks } from '../products/product.query.ts';

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
    if (levels.length === 1) return { applied: await applyOne(em, app, caller, levels[0]!) };
    planByValues(em, levels.length);
    await lockProducts(em, caller.storeId, levels);
    let applied = 0;
    await pacedEach(levels, async (slice) => {
      const written = await applyLevels(em, app, caller.storeId, slice);
      applied += written.applied;
      await emitUpdated(em, app, caller, written.moved);
    });
    return { applied };
  });
};

/** Before the slices: one that waited for a row of another call would hold back that call's own next slice. */
async function lockProducts(em: EntityManager, storeId: number, levels: Level[]): Promise<void> {
  const ids = levels.map((level) => level.product_id);
  await sql(em, 'select from catalog.products where store_id = $1 and id = any ($2::bigint[]) order by id for update', [storeId, ids]);
}

/**
 * As applyLevels, and it returns the product as its event shows it. The product is found by its key: a plan for a list, which a unit
 * keeps, may look at every product of the store.
 */
const levelOfOne = `
  with was as materialized (select stock, stock_version from catalog.products where store_id = $1 and id = $3 for update),
  p as (
    update catalog.products p set stock = $4, stock_version = $5, updated_at = case when was.stock <> $4 then $2 else p.updated_at end
    from was where p.store_id = $1 and p.id = $3 and was.stock_version < $5
    returning p.*, was.stock <> $4 as moved)
  select p.moved and p.deleted_at is null as is_news, ${oneColumns} from p`;

/** The level of most adjustments. Returns how many it took over. */
async function applyOne(em: EntityManager, app: Catalog, caller: Caller, { product_id, stock, version }: Level): Promise<number> {
  const ask = askIn(em);
  const now = app.db.clock.now();
  const [written] = await ask<OneRow & { is_news: boolean }>(levelOfOne, [caller.storeId, now, product_id, stock, version]);
  if (!written) return 0;
  // A count without a difference moves nothing.
  if (written.is_news)
    await emitWritten(em, app, caller, { id: product_id, name: 'product.updated' }, await withLinks(ask, caller, now, written));
  return 1;
}

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
  // A count without a difference moves nothing.
  return { applied: rows.length, moved: rows.filter((row) => row.moved && !row.deleted).map((row) => row.id) };
}
