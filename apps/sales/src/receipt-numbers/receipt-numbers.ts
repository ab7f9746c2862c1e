/** Receipt numbers that the store makes: R-1001 and up (D236). */
import { type Db, numberBlocks } from '@store/db';

export const receiptNumbers = (db: Db) =>
  numberBlocks(db, {
    table: 'sales.receipt_number_blocks',
    prefix: 'R-',
    blockSize: 100,
    used: { table: 'sales.sales', column: 'receipt_number' },
  });
