/** A promotion: its tables, the public shape, and when it is in force. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { decimalColumn, isoTime, type Row, sameStore, storeKeyColumn, storeKeyColumns, timeColumn, timeColumns } from '@store/db';
import { twoDecimals } from '@store/input';
import type { Promotion as PromotionMessage } from '@store/protos/catalog/v1.ts';
import { Category } from '../categories/category.ts';
import { Product } from '../products/product.ts';

export const Promotion = defineEntity({
  name: 'Promotion',
  tableName: 'promotions',
  properties: {
    ...storeKeyColumns(),
    name: p.text(),
    discountType: p.text(),
    value: decimalColumn(2),
    categoryId: p.bigint('number').nullable(),
    category: () => sameStore(Category, { table: 'promotions', column: 'category_id', onDelete: 'cascade' }),
    startsAt: timeColumn().nullable(),
    endsAt: timeColumn().nullable(),
    /** Whether its products were announced as cheaper; a sweep looks for those whose time came or went. */
    announcedRunning: p.boolean().default(false),
    ...timeColumns(),
  },
  indexes: [
    { name: 'promotions_store', properties: ['storeId'] },
    {
      name: 'promotions_to_start',
      expression: `create index promotions_to_start on catalog.promotions (coalesce(ends_at, 'infinity')) where not announced_running`,
    },
    {
      name: 'promotions_to_end',
      expression: 'create index promotions_to_end on catalog.promotions (ends_at) where announced_running',
    },
    {
      name: 'promotions_put_off',
      expression: 'create index promotions_put_off on catalog.promotions (starts_at) where announced_running',
    },
  ],
});

export const PromotionProduct = defineEntity({
  name: 'PromotionProduct',
  tableName: 'promotion_products',
  properties: {
    storeId: storeKeyColumn(),
    promotionId: p.bigint('number').primary(),
    productId: p.bigint('number').primary(),
    promotion: () => sameStore(Promotion, { table: 'promotion_products', column: 'promotion_id', onDelete: 'cascade' }),
    product: () => sameStore(Product, { table: 'promotion_products', column: 'product_id', onDelete: 'cascade' }),
  },
  indexes: [{ name: 'promotion_products_of_product', properties: ['storeId', 'productId'] }],
});

export type PromotionRecord = InferEntity<typeof Promotion>;

type Shown = 'id' | 'name' | 'discount_type' | 'value' | 'category_id' | 'starts_at' | 'ends_at' | 'created_at' | 'updated_at';

export type PromotionRow = Pick<Row<typeof Promotion>, Shown> & { product_ids: number[] };

export function promotionView(row: PromotionRow): PromotionMessage {
  return {
    id: row.id,
    name: row.name,
    discount_type: row.discount_type,
    value: twoDecimals(row.value),
    product_ids: row.product_ids,
    category_id: row.category_id ?? undefined,
    starts_at: row.starts_at ? isoTime(row.starts_at) : undefined,
    ends_at: row.ends_at ? isoTime(row.ends_at) : undefined,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** It has started and has not ended: what effective_price goes by. */
export function isRunning({ starts_at, ends_at }: { starts_at: Date | null; ends_at: Date | null }, now: Date): boolean {
  return (starts_at === null || starts_at <= now) && (ends_at === null || ends_at > now);
}

/** An event may have shown its price: it was announced, or it runs and another change of a product showed it. */
export function hasShownPrices(record: PromotionRecord, now: Date): boolean {
  return record.announcedRunning || isRunning({ starts_at: record.startsAt ?? null, ends_at: record.endsAt ?? null }, now);
}
