/** The names of the catalogue's products, for rewards that give one away. */
import { defineEntity, p } from '@mikro-orm/core';

export const ProductCopy = defineEntity({
  name: 'ProductCopy',
  tableName: 'products',
  properties: {
    storeId: p.bigint('number').primary().autoincrement(false),
    id: p.bigint('number').primary().autoincrement(false),
    name: p.text(),
    deleted: p.boolean(),
    /** Of the event that it is a copy of: an older one does not come back. */
    version: p.bigint('number'),
  },
});
