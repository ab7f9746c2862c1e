import { buildIndexes } from '@store/db';
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

/** By name, oldest first; a name never changes once it has run anywhere. */
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
};
