/** Shared steps of creating and changing a promotion. */
import { type EntityManager, sql } from '@store/db';
import type { PromotionDraft } from './promotion.input.ts';
import type { PromotionRecord, PromotionRow } from './promotion.ts';

export async function linkProducts(em: EntityManager, id: number, productIds: number[]): Promise<void> {
  await sql(em, 'delete from catalog.promotion_products where promotion_id = $1 and product_id <> all ($2::bigint[])', [id, productIds]);
  await sql(
    em,
    'insert into catalog.promotion_products (promotion_id, product_id) select $1, unnest($2::bigint[]) on conflict do nothing',
    [id, productIds],
  );
}

/** The columns that staff write. */
export function columnsOf({ product_ids, ...columns }: PromotionDraft) {
  return columns;
}

/** The stored promotion in the form of a request. */
export function draftOf(record: PromotionRecord, productIds: number[]): PromotionDraft {
  return {
    name: record.name,
    discount_type: record.discountType,
    value: record.value,
    product_ids: productIds,
    category_id: record.categoryId ?? null,
    starts_at: record.startsAt ?? null,
    ends_at: record.endsAt ?? null,
  };
}

/** The record as a row of the list. */
export function rowOf(record: PromotionRecord, productIds: number[]): PromotionRow {
  const draft = draftOf(record, productIds);
  return { ...draft, id: record.id, value: record.value, created_at: record.createdAt, updated_at: record.updatedAt };
}
