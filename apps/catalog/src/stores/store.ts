/** The catalogue's copy of what background work needs of a store, fed by the gateway (D184). */
import { defineEntity, p } from '@mikro-orm/core';

export const StoreCopy = defineEntity({
  name: 'StoreCopy',
  tableName: 'stores',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    timeZone: p.text(),
    features: p.array().columnType('text[]'),
    /** Of the event that it is a copy of: an older one does not come back. */
    version: p.bigint('number').defaultRaw('0'),
  },
});
