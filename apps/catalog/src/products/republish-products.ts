/** Products as other apps copy them: by name, and whether they are deleted. */
import { sql } from '@store/db';
import type { Republished } from '@store/service';

export const republishProducts: Republished = {
  stores: 'select distinct store_id as id from catalog.products order by 1',
  next: async (em, storeId, after, limit) => {
    const rows = await sql<{ id: number; name: string; deleted: boolean }>(
      em,
      `select id, name, deleted_at is not null as deleted from catalog.products
       where store_id = $1 and id > $2 order by id limit $3 for no key update`,
      [storeId, after, limit],
    );
    return rows.map((product) => ({
      id: product.id,
      event: { name: 'product.state', aggregate: `product:${product.id}`, internal: { product } },
    }));
  },
};
