import { type EntityManager, sql } from '@store/db';
import { parseId } from '@store/input';
import { notFound } from '@store/problem';
import { lockLiving } from '../products/lock-living.ts';
import { Brand } from './brand.ts';

/**
 * The brand, locked until the commit. A transaction that writes a product twice asks for its brand after it, by the foreign key: this lock
 * permits that, unlike `for update`.
 */
export async function lockBrand(em: EntityManager, storeId: number, sentId: string | undefined) {
  const id = parseId(sentId);
  if (id === undefined) throw notFound('Brand');
  await sql(em, 'select 1 from catalog.brands where store_id = $1 and id = $2 for no key update', [storeId, id]);
  const brand = await em.findOne(Brand, { id });
  if (!brand) throw notFound('Brand');
  return brand;
}

/**
 * Takes the brand from all that have it, deleted products too. On one server a foreign key does this; Citus permits no `on delete set null`
 * beside store_id.
 */
export async function clearBrand(em: EntityManager, { storeId, id }: { storeId: number; id: number }): Promise<void> {
  await sql(em, 'update catalog.products set brand_id = null where store_id = $1 and brand_id = $2', [storeId, id]);
}

/**
 * Ids of the products that show the brand. Whatever gives a product a brand locks the brand before the product, as here, so that neither
 * waits for the other.
 */
export const lockProductsOf = (em: EntityManager, { storeId, id }: { storeId: number; id: number }): Promise<number[]> =>
  lockLiving(em, storeId, 'brand_id = $2', id);
