/** A promotion: its row, the public shape, and the products whose price it changes. */

import { type EntityManager, isoTime, sql } from '@store/db';
import { twoDecimals } from '@store/input';
import { notFound } from '@store/problem';
import type { Promotion } from '@store/protos/catalog/v1/Promotion.ts';
import type { Ask } from '../products/product.query.ts';

export interface PromotionRow {
  id: string;
  name: string;
  discount_type: string;
  value: string;
  category_id: string | null;
  product_ids: string[];
  starts_at: string | null;
  ends_at: string | null;
  told_running: boolean;
  created_at: string;
  updated_at: string;
}

const columns = `pr.id, pr.name, pr.discount_type, pr.value, pr.category_id,
  array(select pp.product_id from catalog.promotion_products pp where pp.promotion_id = pr.id order by 1) as product_ids,
  pr.starts_at::text, pr.ends_at::text, pr.told_running, pr.created_at::text, pr.updated_at::text`;

/** Lists that are not paginated are capped (decision D44). */
const promotionsMax = 500;

/** The store's promotions, newest first. */
export function promotionsOf(ask: Ask, storeId: number): Promise<PromotionRow[]> {
  return ask<PromotionRow>(
    `select ${columns} from catalog.promotions pr where pr.store_id = $1 order by pr.created_at desc, pr.id desc limit ${promotionsMax}`,
    [storeId],
  );
}

/** The promotion, locked until the commit. */
export async function lockPromotion(em: EntityManager, storeId: number, id: number): Promise<PromotionRow> {
  const [row] = await sql<PromotionRow>(
    em,
    `select ${columns} from catalog.promotions pr where pr.store_id = $1 and pr.id = $2 for update of pr`,
    [storeId, id],
  );
  if (!row) throw notFound('Promotion');
  return row;
}

export function promotionView(row: PromotionRow): Promotion {
  return {
    id: Number(row.id),
    name: row.name,
    discount_type: row.discount_type,
    value: twoDecimals(row.value),
    product_ids: row.product_ids.map(Number),
    category_id: row.category_id === null ? undefined : Number(row.category_id),
    starts_at: row.starts_at === null ? undefined : isoTime(row.starts_at),
    ends_at: row.ends_at === null ? undefined : isoTime(row.ends_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** It has started and has not ended: what effective_price goes by. */
export function isRunning({ starts_at, ends_at }: { starts_at: string | Date | null; ends_at: string | Date | null }, now: Date): boolean {
  return (starts_at === null || new Date(starts_at) <= now) && (ends_at === null || new Date(ends_at) > now);
}

/** An event may have shown its price: it was told of, or it runs and what else changed on a product told its price of now. */
export function hasShownPrices(row: PromotionRow, now: Date): boolean {
  return row.told_running || isRunning(row, now);
}

/** Products that the promotion is on: named, in its category or below it, and their variations. */
export async function promotedProducts(em: EntityManager, storeId: number, promotionId: number): Promise<number[]> {
  const rows = await sql<{ id: string }>(
    em,
    `with named as (
       select pp.product_id as id from catalog.promotion_products pp where pp.promotion_id = $2
       union
       select pc.product_id from catalog.promotions pr
         join catalog.categories c on c.store_id = pr.store_id and (c.id = pr.category_id or pr.category_id = any (c.ancestor_ids))
         join catalog.product_categories pc on pc.category_id = c.id
       where pr.store_id = $1 and pr.id = $2)
     select id from catalog.products where store_id = $1 and id in (select id from named)
     union
     select id from catalog.products where store_id = $1 and parent_id in (select id from named)`,
    [storeId, promotionId],
  );
  return rows.map((row) => Number(row.id));
}
