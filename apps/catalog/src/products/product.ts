/** A product with its weight presets, categories and revenue centers, and the kept total of the store. */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, idColumn, sameStore, storeIdColumn, storeKeyColumn, storeKeyColumns, timeColumn, timeColumns } from '@store/db';
import { Brand } from '../brands/brand.ts';
import { Category } from '../categories/category.ts';
import { RevenueCenter } from '../revenue-centers/revenue-center.ts';

const money = () => decimalColumn(2);
const quantity = () => decimalColumn(3);
const living = 'active and deleted_at is null';

export const Product = defineEntity({
  name: 'Product',
  tableName: 'products',
  properties: {
    ...storeKeyColumns(),
    parentId: p.bigint('number').nullable(),
    parent: () => sameStore(Product, { table: 'products', column: 'parent_id' }),
    name: p.text().collation('C'),
    sku: p.text().nullable(),
    barcode: p.text().nullable(),
    description: p.text().nullable(),
    optionLabel: p.text().nullable(),
    menuDisplayName: p.text().nullable(),
    price: money().default('0'),
    cost: money().nullable(),
    /** Weighted average over what was received (D168). */
    averageCost: money().nullable(),
    /** The cost that was last written by hand, and when; `cost` is this one or a later receipt's (D246). */
    writtenCost: money().nullable(),
    costWrittenAt: timeColumn().nullable(),
    wholesalePrice: money().nullable(),
    wholesaleEnabled: p.boolean().default(false),
    productType: p.text().default('simple'),
    unitType: p.text().default('unit'),
    productFormat: p.text().nullable(),
    brandId: p.bigint('number').nullable(),
    ofBrand: () => sameStore(Brand, { table: 'products', column: 'brand_id', onDelete: 'set null (brand_id)' }),
    active: p.boolean().default(true),
    packageSize: p.text().nullable(),
    packQuantity: quantity().nullable(),
    boxQuantity: quantity().nullable(),
    lowStockThreshold: quantity().nullable(),
    reorderPoint: quantity().nullable(),
    supplierName: p.text().nullable(),
    lotNumber: p.text().nullable(),
    expiryDate: p.date().nullable(),
    isCannabisProduct: p.boolean().default(false),
    strainType: p.text().nullable(),
    thcContent: p.text().nullable(),
    cbdContent: p.text().nullable(),
    equivalentGrams: quantity().nullable(),
    primaryImageUrl: p.text().nullable(),
    excludeFromPromotions: p.boolean().default(false),
    blockManualDiscounts: p.boolean().default(false),
    hasVariations: p.boolean().default(false),
    additionalBarcodes: p.json<{ code: string; label: string | null }[]>().defaultRaw("'[]'"),
    /** Inventory's value, applied only where its version is newer (D60). */
    stock: quantity().default('0'),
    stockVersion: p.bigint('number').defaultRaw('0'),
    /** Lower-cased name, sku, barcode, preset barcodes and brand names: what search reads (D192). */
    searchText: p.text().default(''),
    /** Made of what a supplier sent, and off sale until somebody prices it (D269). */
    awaitsPrice: p.boolean().nullable(),
    /** The id that another system has for it. */
    externalId: p.text().nullable(),
    ...timeColumns(),
    deletedAt: timeColumn().nullable(),
    brandName: p.text().nullable(),
    /** In the order in which they are shown. */
    categoryList: p.json<{ id: number; name: string; slug: string }[]>().defaultRaw("'[]'"),
  },
  uniques: [
    { name: 'products_sku', properties: ['storeId', 'sku'], where: 'deleted_at is null and sku is not null' },
    { name: 'products_external', properties: ['storeId', 'externalId'], where: 'deleted_at is null and external_id is not null' },
  ],
  indexes: [
    { name: 'products_listed', properties: ['storeId', 'name', 'id'], where: `${living} and parent_id is null` },
    { name: 'products_walked', properties: ['storeId', 'createdAt', 'id'], where: `${living} and parent_id is null` },
    { name: 'products_parent', properties: ['parentId'], where: 'parent_id is not null' },
    // Whole, as a variation that was deleted or switched off is a change of its parent.
    { name: 'products_updated', properties: ['storeId', 'updatedAt'] },
    { name: 'products_barcode', properties: ['storeId', 'barcode'], where: 'deleted_at is null and barcode is not null' },
    {
      name: 'products_additional_barcodes',
      expression: `create index products_additional_barcodes on catalog.products using gin (store_id, jsonb_path_query_array(additional_barcodes, '$[*].code')) where deleted_at is null and additional_barcodes <> '[]'`,
    },
    { name: 'products_brand_listed', properties: ['storeId', 'brandId', 'name', 'id'], where: `${living} and parent_id is null` },
    { name: 'products_brand', properties: ['brandId'], where: 'brand_id is not null' },
    {
      name: 'products_search',
      expression: `create index products_search on catalog.products using gin (store_id, search_text public.gin_trgm_ops) with (gin_pending_list_limit = 512) where ${living}`,
    },
  ],
});

export const WeightPreset = defineEntity({
  name: 'WeightPreset',
  tableName: 'product_weight_presets',
  properties: {
    storeId: storeKeyColumn(),
    productId: p.bigint('number').primary(),
    id: idColumn(),
    product: () => sameStore(Product, { table: 'product_weight_presets', column: 'product_id', onDelete: 'cascade' }),
    weight: quantity(),
    label: p.text().nullable(),
    barcode: p.text(),
    price: money().nullable(),
  },
  indexes: [{ name: 'product_weight_presets_code', properties: ['storeId', 'barcode', 'productId'] }],
});

export const ProductCategory = defineEntity({
  name: 'ProductCategory',
  tableName: 'product_categories',
  properties: {
    storeId: storeKeyColumn(),
    productId: p.bigint('number').primary(),
    categoryId: p.bigint('number').primary(),
    product: () => sameStore(Product, { table: 'product_categories', column: 'product_id', onDelete: 'cascade' }),
    category: () => sameStore(Category, { table: 'product_categories', column: 'category_id', onDelete: 'cascade' }),
    /** The product's, kept by kept-lists.ts: the list of a category is read from its index. */
    name: p.text().collation('C').default(''),
    /** Whether the list shows it: active, not deleted and no variation. */
    listed: p.boolean().default(false),
  },
  indexes: [
    { name: 'product_categories_of_category', properties: ['storeId', 'categoryId', 'productId'] },
    { name: 'product_categories_in_order', properties: ['storeId', 'categoryId', 'name', 'productId'], where: 'listed' },
  ],
});

export const ProductRevenueCenter = defineEntity({
  name: 'ProductRevenueCenter',
  tableName: 'product_revenue_centers',
  properties: {
    storeId: storeKeyColumn(),
    productId: p.bigint('number').primary(),
    revenueCenterId: p.bigint('number').primary(),
    product: () => sameStore(Product, { table: 'product_revenue_centers', column: 'product_id', onDelete: 'cascade' }),
    center: () => sameStore(RevenueCenter, { table: 'product_revenue_centers', column: 'revenue_center_id', onDelete: 'cascade' }),
  },
  indexes: [{ name: 'product_revenue_centers_of_center', properties: ['storeId', 'revenueCenterId'] }],
});

/** Changes of a category's number of listed products; their sum is its total_count. */
export const CategoryTotal = defineEntity({
  name: 'CategoryTotal',
  tableName: 'category_totals',
  properties: { id: idColumn(), storeId: storeIdColumn(), categoryId: p.bigint('number'), added: p.bigint('number') },
  indexes: [{ name: 'category_totals_of_category', properties: ['storeId', 'categoryId'], include: ['added'] }],
});

/** Changes of the store's number of listed products; their sum is total_count (D192). */
export const ProductTotal = defineEntity({
  name: 'ProductTotal',
  tableName: 'product_totals',
  properties: { storeId: storeIdColumn(), delta: p.bigint('number'), id: idColumn() },
  indexes: [
    { name: 'product_totals_store', expression: 'create index product_totals_store on catalog.product_totals (store_id) include (delta)' },
  ],
});
