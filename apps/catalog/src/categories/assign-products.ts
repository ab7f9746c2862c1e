/** The products that stand directly in a category, written as one list (staff). */
import { type EntityManager, sql } from '@store/db';
import type { Caller } from '@store/rpc';
import type { Catalog } from '../catalog.ts';
import { touchProducts } from '../products/touch-products.ts';
import type { CategoryAccepted } from './category.input.ts';
import { productsIn } from './category.query.ts';

/** A list beyond this is no list that a person keeps; it also bounds the events of one request. */
export const categoryProductsMax = 10_000;

/** Adds a field error when the list is too long or names a product that the store has not. */
export async function checkProducts(em: EntityManager, storeId: number, { productIds, errors }: CategoryAccepted): Promise<void> {
  if (!productIds) return;
  if (productIds.length > categoryProductsMax) {
    errors.product_ids = [`must be at most ${categoryProductsMax}`];
    return;
  }
  // Locked in id order, as every other writer of products does, until the commit.
  const rows = await sql(
    em,
    'select 1 from catalog.products where store_id = $1 and id = any ($2::bigint[]) and deleted_at is null order by id for update',
    [storeId, productIds],
  );
  if (rows.length !== productIds.length) errors.product_ids = ['must exist'];
}

export interface Assignment {
  before: number[];
  after: number[];
}

/** Replaces the list; products that came or went are told of. Undefined: nothing changed. */
export async function assignProducts(
  em: EntityManager,
  app: Catalog,
  caller: Caller,
  categoryId: number,
  productIds: number[] | undefined,
): Promise<Assignment | undefined> {
  if (!productIds) return undefined;
  const before = await productsIn(em, caller.storeId, categoryId);
  const wanted = new Set(productIds);
  const had = new Set(before);
  const gone = before.filter((id) => !wanted.has(id));
  const come = productIds.filter((id) => !had.has(id));
  if (gone.length === 0 && come.length === 0) return undefined;
  await sql(em, 'delete from catalog.product_categories where category_id = $1 and product_id = any ($2::bigint[])', [categoryId, gone]);
  await sql(em, 'insert into catalog.product_categories (category_id, product_id) select $1, unnest($2::bigint[]) on conflict do nothing', [
    categoryId,
    come,
  ]);
  await touchProducts(em, app, caller, [...gone, ...come]);
  return { before, after: productIds };
}
