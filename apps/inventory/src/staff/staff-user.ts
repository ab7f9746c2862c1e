/** Inventory's own copy of who works for a store, by name; the gateway's events feed it. */
import { defineEntity, p } from '@mikro-orm/core';
import { storeIdColumn } from '@store/db';

export const StaffUser = defineEntity({
  name: 'StaffUser',
  tableName: 'staff_users',
  properties: {
    storeId: storeIdColumn().primary(),
    id: p.bigint('number').primary(),
    name: p.text(),
    /** Of the event that the name is from: an older one does not replace it. */
    version: p.bigint('number').defaultRaw('0'),
  },
});
