/** A store's next order number; processes take numbers in blocks (D236). */
import { defineEntity, p } from '@mikro-orm/core';

export const OrderNumberBlock = defineEntity({
  name: 'OrderNumberBlock',
  tableName: 'order_number_blocks',
  properties: {
    storeId: p.bigint('number').primary().autoincrement(false),
    /** First number that no process has taken. */
    next: p.bigint('number'),
  },
});
