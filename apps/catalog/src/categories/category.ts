/** A category of the store's tree, and the revenue centers that it is limited to. */
import { defineEntity, p } from '@mikro-orm/core';
import { sameStore, storeKeyColumn, storeKeyColumns, timeColumns } from '@store/db';
import { RevenueCenter } from '../revenue-centers/revenue-center.ts';

export const Category = defineEntity({
  name: 'Category',
  tableName: 'categories',
  properties: {
    ...storeKeyColumns(),
    parentId: p.bigint('number').nullable(),
    parent: () => sameStore(Category, { table: 'categories', column: 'parent_id' }),
    /** From the top-level category down, without the category itself. */
    ancestorIds: p.array(Number).columnType('bigint[]').defaultRaw("'{}'"),
    name: p.text(),
    slug: p.text(),
    icon: p.text().nullable(),
    iconUrl: p.text().nullable(),
    color: p.text().nullable(),
    position: p.integer().default(0),
    storeType: p.text().nullable(),
    ageRestricted: p.boolean().default(false),
    active: p.boolean().default(true),
    ...timeColumns(),
  },
  uniques: [{ name: 'categories_store_id_slug_key', properties: ['storeId', 'slug'] }],
  indexes: [{ name: 'categories_parent', properties: ['parentId'] }],
  checks: [{ name: 'categories_slug_check', expression: "slug !~~ '%:%'::text" }],
});

export const CategoryRevenueCenter = defineEntity({
  name: 'CategoryRevenueCenter',
  tableName: 'category_revenue_centers',
  properties: {
    storeId: storeKeyColumn(),
    categoryId: p.bigint('number').primary(),
    revenueCenterId: p.bigint('number').primary(),
    category: () => sameStore(Category, { table: 'category_revenue_centers', column: 'category_id', onDelete: 'cascade' }),
    center: () => sameStore(RevenueCenter, { table: 'category_revenue_centers', column: 'revenue_center_id', onDelete: 'cascade' }),
  },
  indexes: [{ name: 'category_revenue_centers_of_center', properties: ['storeId', 'revenueCenterId'] }],
});
