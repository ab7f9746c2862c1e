/** What creating and changing a promotion have in common. */
import { type EntityManager, sql } from '@store/db';
import type { PromotionDraft } from './promotion.input.ts';
import type { PromotionRow } from './promotion.ts';

export async function linkProducts(em: EntityManager, id: number, productIds: number[]): Promise<void> {
  await sql(em, 'delete from catalog.promotion_products where promotion_id = $1 and product_id <> all ($2::bigint[])', [id, productIds]);
  await sql(
    em,
    'insert into catalog.promotion_products (promotion_id, product_id) select $1, unnest($2::bigint[]) on conflict do nothing',
    [id, productIds],
  );
}

/** The stored promotion as what was once sent. */
export function draftOf(row: PromotionRow): PromotionDraft {
  return {
    name: row.name,
    discount_type: row.discount_type,
    value: row.value,
    product_ids: row.product_ids.map(Number),
    category_id: row.category_id === null ? null : Number(row.category_id),
    starts_at: row.starts_at === null ? null : new Date(row.starts_at),
    ends_at: row.ends_at === null ? null : new Date(row.ends_at),
  };
}
