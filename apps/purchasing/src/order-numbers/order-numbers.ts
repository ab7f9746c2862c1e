/** Order numbers that the store makes: PO-1001 and up (D236). */
import { type Db, numberBlocks } from '@store/db';

export const orderNumbers = (db: Db) =>
  numberBlocks(db, {
    table: 'purchasing.order_number_blocks',
    prefix: 'PO-',
    blockSize: 20,
    used: { table: 'purchasing.purchase_orders', column: 'order_number' },
  });
