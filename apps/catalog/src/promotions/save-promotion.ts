/** Shared steps of creating and changing a promotion. */
import { type EntityManager, sql } from '@store/db';
import type { PromotionDraft } from './promotion.input.ts';
import type { PromotionRecord, PromotionRow } from './promotion.ts';

export async function linkProducts(em: EntityManager, storeId: number, id: number, productIds: number[]): Promise<void> {
  const values = [storeId, id, productIds];
  await sql(
    em,
    'delete from catalog.promotion_products where store_id = $1 and promotion_id = $2 and product_id <> all ($3::bigint[])',
    values,
  );
  await sql(
    em,
    'insert into catalog.promotion_products (store_id, promotion_id, product_id) select $1, $2, unnest($3::bigint[]) on conflict do nothing',
    values,
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
