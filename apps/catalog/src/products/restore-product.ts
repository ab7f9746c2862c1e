import { askIn, type EntityManager, orRaced, type Row, sql, taken } from '@store/db';
import { parseId } from '@store/input';
import { invalidFields, notFound } from '@store/problem';
import type { Call } from '@store/rpc';
import { change } from '@store/service';
import type { Catalog, Verb } from '../catalog.ts';
import { refreshKept } from './denormalised-names.ts';
import { emitProducts } from './emit-products.ts';
import { shownProduct } from './get-product.ts';
import { holdLinks } from './hold-links.ts';
import { isListed, keptHere, relist } from './kept-lists.ts';
import type { Draft } from './product.columns.ts';
import { Product } from './product.ts';
import { countVariations, fullError, refuseManyBarcodes } from './references.ts';
import { lockBrands } from './write-products.ts';

type Deleted = Pick<Row<typeof Product>, 'id' | 'parent_id' | 'deleted_at'>;

/** POST /products/:id/restore (staff): brings back the product and the variations deleted with it. */
export const restoreProduct: Verb<'RestoreProduct'> = async (app, request, call) => {
  const id = parseId(request.id);
  if (id === undefined) throw notFound('Product');
  const { caller } = call;
  return change(app, call, async (em) => {
    await holdLinks(em, caller.storeId, 'shared');
    await lockBrandsOf(em, caller.storeId, id);
    const [product] = await sql<Deleted>(
      em,
      'select id, parent_id, deleted_at from catalog.products where store_id = $1 and id = $2 for update',
      [caller.storeId, id],
    );
    if (!product) throw notFound('Product');
    if (product.deleted_at !== null) await restore(em, app, call, product);
    return shownProduct(askIn(em), app, caller, id);
  });
};

/** Whether another product has by now what f had; $1 is the store. */
const isTaken = (column: 'sku' | 'external_id') =>
  `exists (select 1 from catalog.products l where l.store_id = $1 and l.${column} = f.${column} and l.deleted_at is null)`;

async function restore(em: EntityManager, app: Catalog, { caller }: Call, product: Deleted): Promise<void> {
  const family = await sql<Record<'sku' | 'external_id', boolean> & Pick<Draft, 'name' | 'active' | 'parent_id'> & { id: number }>(
    em,
    `select f.id, f.name, f.active, f.parent_id, ${isTaken('sku')} as sku, ${isTaken('external_id')} as external_id
     from catalog.products f where f.store_id = $1 and (f.id = $2 or (f.parent_id = $2 and f.deleted_at = $3)) order by f.id for update`,
    [caller.storeId, product.id, product.deleted_at],
  );
  const refused = (['sku', 'external_id'] as const).filter((field) => family.some((row) => row[field]));
  if (refused.length > 0) throw invalidFields(Object.fromEntries(refused.map((field) => [field, [taken]])));
  if (product.parent_id !== null) await checkParent(em, caller.storeId, product.parent_id);
  const ids = family.map((row) => row.id);
  await orRaced(
    Product,
    sql(em, `${keptHere} update catalog.products set deleted_at = null, updated_at = $3 where store_id = $1 and id = any ($2::bigint[])`, [
      caller.storeId,
      ids,
      app.db.clock.now(),
    ]),
  );
  const shown = family.filter(isListed);
  relist(
    em,
    caller.storeId,
    shown.map((row) => ({ id: row.id, name: row.name as string, was: false, is: true })),
  );
  // Its brand may have been renamed meanwhile: only products that are not deleted follow a rename.
  await refreshKept(em, caller.storeId, ids);
  await countVariations(em, caller.storeId, product.parent_id === null ? [] : [product.parent_id]);
  if (product.parent_id !== null) await refuseManyBarcodes(em, caller.storeId, product.id);
  await emitProducts(
    em,
    app,
    caller,
    // "product updated, including restore of a deleted product"
    ids.map((id) => ({ id, name: 'product.updated', action: 'product.restore', before: { deleted: true }, after: { deleted: false } })),
  );
}

/** A rename passes over deleted products, so it may not run while one of its brand comes back. */
async function lockBrandsOf(em: EntityManager, storeId: number, id: number): Promise<void> {
  const rows = await sql<{ brand_id: number }>(
    em,
    'select brand_id from catalog.products where store_id = $1 and (id = $2 or parent_id = $2) and brand_id is not null',
    [storeId, id],
  );
  await lockBrands(
    em,
    storeId,
    rows.map((row) => row.brand_id),
  );
}

async function checkParent(em: EntityManager, storeId: number, parentId: number): Promise<void> {
  const rows = await sql(em, 'select 1 from catalog.products where store_id = $1 and id = $2 and deleted_at is null for update', [
    storeId,
    parentId,
  ]);
  if (rows.length === 0) throw invalidFields({ parent_id: ['must be restored first'] });
  const full = await fullError(em, storeId, parentId);
  if (full) throw invalidFields({ parent_id: [full] });
}
