import { type EntityManager, sql } from '@store/db';

/** Limits a category or a product to these revenue centers of its store, and to no others. */
export async function linkCenters(
  em: EntityManager,
  noun: 'category' | 'product',
  storeId: number,
  id: number,
  centerIds: number[],
): Promise<void> {
  const [table, column] = [`catalog.${noun}_revenue_centers`, `${noun}_id`];
  const values = [storeId, id, centerIds];
  await sql(em, `delete from ${table} where store_id = $1 and ${column} = $2 and revenue_center_id <> all ($3::bigint[])`, values);
  await sql(
    em,
    `insert into ${table} (store_id, ${column}, revenue_center_id) select $1, $2, unnest($3::bigint[]) on conflict do nothing`,
    values,
  );
}
