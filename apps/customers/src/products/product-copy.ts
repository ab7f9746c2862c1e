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
    /** Version of the copied event: an older one does not overwrite it. */
    version: p.bigint('number'),
  },
});
