/** A product's references: brand, parent, categories, revenue centers, barcodes and presets. */

import { type EntityManager, type Row, sql } from '@store/db';
import type { FieldErrors } from '@store/input';
import { invalidFields } from '@store/problem';
import { linkCenters } from '../revenue-centers/link-centers.ts';
import { refreshKept } from './denormalised-names.ts';
import { linkCategories, unlinkCategories } from './kept-lists.ts';
import type { ProductAccepted, ProductLists } from './product.input.ts';
import type { Product } from './product.ts';
import { variationIds } from './repriced.ts';

/**
 * A field error for every reference to another noun that is not the store's own. Referenced rows are locked here, and
 * before the product: a rename locks it and then its products.
 */
export async function referenceErrors(em: EntityManager, storeId: number, { values, lists }: ProductAccepted): Promise<FieldErrors> {
  const errors: FieldErrors = {};
  if (values.brand_id != null && !(await allExist(em, storeId, 'brands', [values.brand_id]))) errors.brand_id = ['must exist'];
  if (lists.categoryIds && !(await allExist(em, storeId, 'categories', lists.categoryIds))) errors.category_ids = ['must exist'];
  if (lists.revenueCenterIds && !(await allExist(em, storeId, 'revenue_centers', lists.revenueCenterIds)))
    errors.revenue_center_ids = ['must exist'];
  return errors;
}

/** Shared locks keep referenced rows until the commit: a deletion waits, and then finds what names them. */
export async function allExist(
  em: EntityManager,
  storeId: number,
  table: 'brands' | 'categories' | 'products' | 'revenue_centers',
  ids: number[],
): Promise<boolean> {
  if (ids.length === 0) return true;
  const living = table === 'products' ? 'and deleted_at is null' : '';
  const text = `select 1 from catalog.${table} where store_id = $1 and id = any ($2::bigint[]) ${living} order by id for share`;
  return (await sql(em, text, [storeId, ids])).length === ids.length;
}

const variationsMax = 100;

/** One level only: a variation has no variations, and a product with variations is none. The rows are locked. */
export async function parentErrors(
  em: EntityManager,
  storeId: number,
  parentId: number | null | undefined,
  id?: number,
): Promise<FieldErrors> {
  if (parentId == null) return {};
  const message = parentId === id ? 'must be another product' : await parentError(em, storeId, parentId, id);
  return message === undefined ? {} : { parent_id: [message] };
}

async function parentError(em: EntityManager, storeId: number, parentId: number, id: number | undefined): Promise<string | undefined> {
  const rows = await sql<Pick<Row<typeof Product>, 'id' | 'parent_id' | 'has_variations'>>(
    em,
    'select id, parent_id, has_variations from catalog.products where store_id = $1 and id = any ($2::bigint[]) and deleted_at is null order by id for update',
    [storeId, id === undefined ? [parentId] : [parentId, id]],
  );
  const parent = rows.find((row) => row.id === parentId);
  const own = rows.find((row) => row.id === id);
  if (!parent) return 'must exist';
  if (parent.parent_id !== null) return 'must not be a variation itself';
  if (own?.has_variations) return 'must be blank for a product with variations';
  return own?.parent_id === parent.id ? undefined : fullError(em, storeId, parentId);
}

/** The parent shows its variations in every answer and event, so their number is limited. */
export async function fullError(em: EntityManager, storeId: number, parentId: number): Promise<string | undefined> {
  const siblings = await variationIds(em, storeId, [parentId]);
  return siblings.length < variationsMax ? undefined : `must not have more than ${variationsMax} variations`;
}

/** Writes the lists that were sent, and whether the named parents have variations. */
export async function saveLists(
  em: EntityManager,
  storeId: number,
  { id, lists, parentIds }: { id: number; lists: ProductLists; parentIds: number[] },
): Promise<void> {
  if (lists.categoryIds) {
    await unlinkCategories(em, 'product_id = $2 and category_id <> all ($3::bigint[])', [storeId, id, lists.categoryIds]);
    await linkCategories(em, storeId, [id], lists.categoryIds);
  }
  if (lists.revenueCenterIds) await linkCenters(em, 'product', storeId, id, lists.revenueCenterIds);
  if (lists.barcodes)
    await sql(em, 'update catalog.products set additional_barcodes = $3 where store_id = $1 and id = $2', [
      storeId,
      id,
      JSON.stringify(lists.barcodes),
    ]);
  if (lists.presets) {
    await sql(em, 'delete from catalog.product_weight_presets where store_id = $1 and product_id = $2', [storeId, id]);
    await sql(
      em,
      `insert into catalog.product_weight_presets (store_id, product_id, weight, label, barcode, price)
       select $1, $2, x.weight, x.label, x.barcode, x.price from json_to_recordset($3::json) as x(weight numeric, label text, barcode text, price numeric)`,
      [storeId, id, JSON.stringify(lists.presets)],
    );
  }
  if (lists.categoryIds || lists.presets) await refreshKept(em, storeId, [id]);
  await countVariations(em, storeId, parentIds);
  // After the parents are locked.
  if (lists.barcodes?.length || parentIds.length > 0) await refuseManyBarcodes(em, storeId, id);
}

/** Of a product and its variations, which are one answer (D260). */
const barcodesMax = 500;

/** The 422 of a product whose family has too many additional barcodes, this product's among them. */
export async function refuseManyBarcodes(em: EntityManager, storeId: number, id: number): Promise<void> {
  const [family] = await sql<{ barcodes: number; own: number }>(
    em,
    `select sum(jsonb_array_length(f.additional_barcodes))::int as barcodes, max(jsonb_array_length(p.additional_barcodes)) as own
     from catalog.products p join catalog.products f on f.store_id = $1 and coalesce(p.parent_id, p.id) in (f.id, f.parent_id)
     where p.store_id = $1 and p.id = $2 and f.deleted_at is null`,
    [storeId, id],
  );
  if (family && family.own > 0 && family.barcodes > barcodesMax)
    throw invalidFields({ additional_barcodes: [`must not be more than ${barcodesMax} of a product and its variations together`] });
}

/**
 * Keeps has_variations true exactly where a variation is left. The parents are locked by a statement of
 * their own: the next one then sees what a concurrent change of a sibling committed.
 */
export async function countVariations(em: EntityManager, storeId: number, parentIds: number[]): Promise<void> {
  if (parentIds.length === 0) return;
  await sql(em, 'select 1 from catalog.products where store_id = $1 and id = any ($2::bigint[]) order by id for update', [
    storeId,
    parentIds,
  ]);
  await sql(
    em,
    `update catalog.products p set has_variations = not p.has_variations where p.store_id = $1 and p.id = any ($2::bigint[])
       and p.has_variations <> exists (
         select 1 from catalog.products v where v.store_id = $1 and v.parent_id = p.id and v.deleted_at is null)`,
    [storeId, parentIds],
  );
}
