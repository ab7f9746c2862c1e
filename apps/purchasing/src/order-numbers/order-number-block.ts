/** A store's next order number; processes take numbers in blocks (D236). */
import { defineEntity } from '@mikro-orm/core';
import { type Db, numberBlockColumns, numberBlocks } from '@store/db';

export const OrderNumberBlock = defineEntity({
  name: 'OrderNumberBlock',
  tableName: 'order_number_blocks',
  properties: numberBlockColumns(),
});

/** Order numbers that the store makes: PO-1001 and up. */
export const orderNumbers = (db: Db) =>
  numberBlocks(db, {
    table: 'purchasing.order_number_blocks',
    prefix: 'PO-',
    blockSize: 20,
    used: { table: 'purchasing.purchase_orders', column: 'order_number' },
  });
