/** Reads promotions and the products whose price they change. SQL text, as Kysely has no array subselects. */
import { type Ask, type EntityManager, sql } from '@store/db';
import { tables } from '../tables.ts';
import type { PromotionRow } from './promotion.ts';

/** $1 is the store, which each subselect names by itself: so Citus sees that all of it is on one worker. */
const columns = `pr.id, pr.name, pr.discount_type, pr.value, pr.category_id,
  array(select pp.product_id from catalog.promotion_products pp where pp.store_id = $1 and pp.promotion_id = pr.id order by 1) as product_ids,
  pr.starts_at, pr.ends_at, pr.created_at, pr.updated_at`;

/** The store's promotions, newest first. */
export function promotionsOf(ask: Ask, storeId: number, limit: number): Promise<PromotionRow[]> {
  return ask<PromotionRow>(
    `select ${columns} from catalog.promotions pr where pr.store_id = $1 order by pr.created_at desc, pr.id desc limit $2`,
    [storeId, limit],
  );
}

/** Ids of the products that the promotion names. */
export async function namedProducts(em: EntityManager, storeId: number, id: number): Promise<number[]> {
  const named = tables.selectFrom('promotion_products').select('product_id').where('store_id', '=', storeId).where('promotion_id', '=', id);
  return (await sql(em, named.orderBy('product_id'))).map((row) => row.product_id);
}

/** Products that the promotion is on: named, in its category or below it, and their variations. */
export async function promotedProducts(em: EntityManager, storeId: number, promotionId: number): Promise<number[]> {
  const found = await sql<{ id: number }>(
    em,
    `with named as (
       select pp.product_id as id from catalog.promotion_products pp where pp.store_id = $1 and pp.promotion_id = $2
       union
       select pc.product_id from catalog.promotions pr
         join catalog.categories c on c.store_id = $1 and (c.id = pr.category_id or pr.category_id = any (c.ancestor_ids))
         join catalog.product_categories pc on pc.store_id = $1 and pc.category_id = c.id
       where pr.store_id = $1 and pr.id = $2)
     select id from catalog.products where store_id = $1 and id in (select id from named)
     union
     select id from catalog.products where store_id = $1 and parent_id in (select id from named)`,
    [storeId, promotionId],
  );
  return found.map((row) => row.id);
}
