import { buildIndexes, statements, storeColumns, storeKeys } from '@store/db';
import { indexOutbox, storeInInbox } from '@store/events';
import { CreateCatalog } from './1-catalog.ts';
import { KeepNames } from './2-denormalised-names.ts';
import { KeepCosts } from './7-costs.ts';
import { ListCategories } from './8-category-lists.ts';
import { CountSwitched } from './10-count-switched.ts';
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
  // Search finds a variation by its parent's brand. The brand is the last part of its parent's search text, lower-cased as this service
  // does it, which PostgreSQL would not do for every script.
  '3-parent-brand-search': statements(`
    update catalog.products v set search_text = v.search_text || chr(31) || split_part(parent.search_text, chr(31), -1)
    from catalog.products parent where parent.id = v.parent_id and parent.store_id = v.store_id and parent.brand_name is not null`),
  // Version of the event that the copy is of: an older one does not come back.
  '4-store-version': statements('alter table catalog.stores add column version bigint not null default 0'),
  // Every table has a primary key; a promotion's column says what it holds in the project's words.
  '5-entities': statements(
    'set local search_path to catalog',
    'alter table product_totals add column id bigint generated always as identity primary key',
    'alter table promotions rename column told_running to announced_running',
  ),
  // Products are found by the exact barcode: the main one, the additional ones and those of weight presets (D253).
  '6-barcodes': statements(
    'set local search_path to catalog, public',
    'create index products_barcode on products (store_id, barcode) where deleted_at is null and barcode is not null',
    `create index products_additional_barcodes on products
      using gin (store_id, jsonb_path_query_array(additional_barcodes, '$[*].code')) where deleted_at is null and additional_barcodes <> '[]'`,
    'create index product_weight_presets_barcode on product_weight_presets (barcode, product_id)',
  ),
  '7-costs': KeepCosts,
  '8-category-lists': ListCategories,
  // Finds the promotions whose time came or went, without a look at each promotion of each store.
  '9-due-promotions': statements(
    'set local search_path to catalog',
    "create index promotions_to_start on promotions (coalesce(ends_at, 'infinity')) where not announced_running",
    'create index promotions_to_end on promotions (ends_at) where announced_running',
    'create index promotions_put_off on promotions (starts_at) where announced_running',
  ),
  '10-count-switched': CountSwitched,
  '11-outbox-of-store': buildIndexes(indexOutbox('catalog')),
  // D268: unit costs have four decimals. A type without a scale rewrites no row.
  '12-finer-costs': statements('alter table catalog.received_lines alter column unit_cost type numeric'),
  // D269: products that were made of a receipt wait for a price.
  '13-awaited-prices': statements('alter table catalog.products add column awaits_price boolean'),
  // D267: ids that other systems have for products.
  '14-external-ids': statements('alter table catalog.products add column external_id text'),
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
  '24-inbox-of-store': statements(storeInInbox('catalog')),
};
