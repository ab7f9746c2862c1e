import { type EntityManager, sql } from '@store/db';

/**
 * Ids of the products that show the brand, deleted ones left out, locked in id order. Whatever gives a product a brand
 * locks the brand before the product, as here, so that neither waits for the other.
 */
export async function lockProductsOf(em: EntityManager, { storeId, id }: { storeId: number; id: number }): Promise<number[]> {
  const products = await sql<{ id: number }>(
    em,
    'select id from catalog.products where store_id = $1 and brand_id = $2 and deleted_at is null order by id for update',
    [storeId, id],
  );
  return products.map((product) => product.id);
}
