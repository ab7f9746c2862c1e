import { type EntityManager, sql } from '@store/db';

/** Ids of the products that meet the condition of `value` ($2), without deleted ones; locked in id order, as by all writers of products. */
export async function lockLiving(em: EntityManager, storeId: number, condition: string, value: unknown): Promise<number[]> {
  const rows = await sql<{ id: number }>(
    em,
    `select id from catalog.products where store_id = $1 and ${condition} and deleted_at is null order by id for update`,
    [storeId, value],
  );
  return rows.map((row) => row.id);
}

/** Of these ids, those of living products, locked in their order. */
export const lockThese = (em: EntityManager, storeId: number, ids: number[]) => lockLiving(em, storeId, 'id = any ($2::bigint[])', ids);
