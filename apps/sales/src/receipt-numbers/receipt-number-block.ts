/** A store's next receipt number; processes take numbers in blocks (D236). */
import { defineEntity, p } from '@mikro-orm/core';

export const ReceiptNumberBlock = defineEntity({
  name: 'ReceiptNumberBlock',
  tableName: 'receipt_number_blocks',
  properties: {
    storeId: p.bigint('number').primary().autoincrement(false),
    /** First number that no process has taken. */
    next: p.bigint('number'),
  },
});
