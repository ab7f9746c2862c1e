/** The stock of a product, and the part of it that lies at a location. */
import { defineEntity, p } from '@mikro-orm/core';
import { decimalColumn, sameStore, storeIdColumn, timeColumn } from '@store/db';
import { WarehouseLocation } from '../warehouse-locations/warehouse-location.ts';

export const StockItem = defineEntity({
  name: 'StockItem',
  tableName: 'stock_items',
  properties: {
    storeId: storeIdColumn().primary(),
    productId: p.bigint('number').primary(),
    quantity: decimalColumn(3),
    /** One higher with every ledger row: catalog applies a level only when it is newer than its copy. */
    version: p.bigint('number'),
    /** When the product's last ledger row was written. */
    changedAt: timeColumn(),
  },
});

/** Stock at no location is in stock_items alone. */
export const LocationStock = defineEntity({
  name: 'LocationStock',
  tableName: 'location_stock',
  properties: {
    storeId: storeIdColumn().primary(),
    productId: p.bigint('number').primary(),
    locationId: p.bigint('number').primary(),
    location: () => sameStore(WarehouseLocation, { table: 'location_stock', column: 'location_id' }),
    quantity: decimalColumn(3),
  },
  indexes: [{ name: 'location_stock_of_location', properties: ['storeId', 'locationId'] }],
});
