/** A category of the store's tree, and the revenue centers that it is limited to. */
import { defineEntity, p } from '@mikro-orm/core';
import { idColumn, storeIdColumn, timeColumns } from '@store/db';
import { linkColumn } from '../link-column.ts';
import { RevenueCenter } from '../revenue-centers/revenue-center.ts';

export const Category = defineEntity({
  name: 'Category',
  tableName: 'categories',
  properties: {
    id: idColumn(),
    storeId: storeIdColumn(),
    parentId: () =>
      p.manyToOne(Category).fieldName('parent_id').mapToPk().nullable().deleteRule('no action').foreignKeyName('categories_parent_id_fkey'),
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
    categoryId: () => linkColumn(Category, 'category_revenue_centers', 'category_id'),
    revenueCenterId: () => linkColumn(RevenueCenter, 'category_revenue_centers', 'revenue_center_id'),
  },
  indexes: [{ name: 'category_revenue_centers_center', properties: ['revenueCenterId'] }],
});
