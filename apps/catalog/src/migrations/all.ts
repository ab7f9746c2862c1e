import { buildIndexes, storeColumns, storeKeys } from '@store/db';
import { indexOutbox } from '@store/events';
import { CreateCatalog } from './1-catalog.ts';
import { KeepNames } from './2-denormalised-names.ts';
import { SearchByParentBrand } from './3-parent-brand-search.ts';
import { AddStoreVersion } from './4-store-version.ts';
import { NameAnnounced } from './5-entities.ts';
import { IndexBarcodes } from './6-barcodes.ts';
import { KeepCosts } from './7-costs.ts';
import { ListCategories } from './8-category-lists.ts';
import { CreateDuePromotions } from './9-due-promotions.ts';
import { CountSwitched } from './10-count-switched.ts';
import { RefineCosts } from './12-finer-costs.ts';
import { AwaitPrices } from './13-awaited-prices.ts';
import { AddExternalIds } from './14-external-ids.ts';
import { KeepListsByStatement } from './17-lists-by-statement.ts';

const cascade = 'on delete cascade';

/** What the release before still finds rows by stays for it, as `earlier_…`. */
const indexesOfStore = [
  ['product_categories_of_category', 'product_categories (store_id, category_id, product_id)'],
  ['product_categories_in_order', 'product_categories (store_id, category_id, name, product_id) where listed'],
  ['product_weight_presets_code', 'product_weight_presets (store_id, barcode, product_id)'],
  ['category_revenue_centers_of_center', 'category_revenue_centers (store_id, revenue_center_id)'],
  ['product_revenue_centers_of_center', 'product_revenue_centers (store_id, revenue_center_id)'],
  ['promotion_products_of_product', 'promotion_products (store_id, product_id)'],
  ['category_totals_of_category', 'category_totals (store_id, category_id) include (added)'],
]
  .map(([name, on]) => `create index concurrently if not exists ${name} on catalog.${on}`)
  .concat(
    ['product_categories_category', 'product_categories_listed', 'product_weight_presets_barcode'].map(
      (name) => `alter index if exists catalog.${name} rename to earlier_${name}`,
    ),
    ['category_revenue_centers_center', 'product_revenue_centers_center', 'promotion_products_product', 'category_totals_category'].map(
      (name) => `drop index concurrently if exists catalog.${name}`,
    ),
  );

export const migrations = {
  '1-catalog': CreateCatalog,
  '2-kept-names': KeepNames,
  '3-parent-brand-search': SearchByParentBrand,
  '4-store-version': AddStoreVersion,
  '5-entities': NameAnnounced,
  '6-barcodes': IndexBarcodes,
  '7-costs': KeepCosts,
  '8-category-lists': ListCategories,
  '9-due-promotions': CreateDuePromotions,
  '10-count-switched': CountSwitched,
  '11-outbox-of-store': buildIndexes(indexOutbox('catalog')),
  '12-finer-costs': RefineCosts,
  '13-awaited-prices': AwaitPrices,
  '14-external-ids': AddExternalIds,
  '15-external-ids': buildIndexes(
    'create unique index concurrently if not exists products_external on catalog.products (store_id, external_id) where deleted_at is null and external_id is not null',
  ),
  '16-cursors': buildIndexes(
    'create index concurrently if not exists products_walked on catalog.products (store_id, created_at, id) where active and deleted_at is null and parent_id is null',
  ),
  '17-lists-by-statement': KeepListsByStatement,
  ...storeColumns('catalog', 18, [
    { table: 'category_revenue_centers', column: 'category_id', parent: 'categories' },
    { table: 'product_weight_presets', column: 'product_id', parent: 'products' },
    { table: 'product_categories', column: 'product_id', parent: 'products' },
    { table: 'product_revenue_centers', column: 'product_id', parent: 'products' },
    { table: 'promotion_products', column: 'promotion_id', parent: 'promotions' },
    { table: 'category_totals', column: 'category_id', parent: 'categories' },
  ]),
  '20-indexes-of-store': buildIndexes(...indexesOfStore),
  ...storeKeys('catalog', 21, [
    {
      table: 'brands',
      namedBy: [{ table: 'products', column: 'brand_id', also: 'on delete set null (brand_id)' }],
    },
    {
      table: 'revenue_centers',
      namedBy: [
        { table: 'category_revenue_centers', column: 'revenue_center_id', also: cascade },
        { table: 'product_revenue_centers', column: 'revenue_center_id', also: cascade },
      ],
    },
    {
      table: 'categories',
      namedBy: [
        { table: 'categories', column: 'parent_id' },
        { table: 'category_revenue_centers', column: 'category_id', also: cascade },
        { table: 'product_categories', column: 'category_id', also: cascade },
        { table: 'promotions', column: 'category_id', also: cascade },
      ],
    },
    {
      table: 'products',
      namedBy: [
        { table: 'products', column: 'parent_id' },
        { table: 'product_weight_presets', column: 'product_id', also: cascade },
        { table: 'product_categories', column: 'product_id', also: cascade },
        { table: 'product_revenue_centers', column: 'product_id', also: cascade },
        { table: 'promotion_products', column: 'product_id', also: cascade },
      ],
    },
    { table: 'promotions', namedBy: [{ table: 'promotion_products', column: 'promotion_id', also: cascade }] },
    { table: 'category_revenue_centers', key: ['category_id', 'revenue_center_id'] },
    { table: 'product_weight_presets', key: ['product_id', 'id'], instead: { index: 'product_weight_presets_product' } },
    { table: 'product_categories', key: ['product_id', 'category_id'] },
    { table: 'product_revenue_centers', key: ['product_id', 'revenue_center_id'] },
    { table: 'promotion_products', key: ['promotion_id', 'product_id'] },
  ]),
};
