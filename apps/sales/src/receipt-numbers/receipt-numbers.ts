/**
 * Receipt numbers that the store makes: R-1001 and up. A process takes a block of them at a time, so that sales of one store
 * do not wait for each other on one row; what a process does not use is a gap (D236).
 */
import { type Db, sqlOne } from '@store/db';

const blockSize = 100;
const firstNumber = 1001;

export interface ReceiptNumbers {
  next(storeId: number): Promise<string>;
}

export function receiptNumbers(db: Db): ReceiptNumbers {
  const blocks = new Map<number, { next: number; end: number }>();
  const take = async (storeId: number): Promise<{ next: number; end: number }> => {
    const { end } = await db.unit(storeId, (em) =>
      sqlOne<{ end: number }>(
        em,
        `insert into sales.receipt_number_blocks as b (store_id, next) values ($1, $2::bigint + $3)
         on conflict (store_id) do update set next = b.next + $3 returning next as end`,
        [storeId, firstNumber, blockSize],
      ),
    );
    return { next: end - blockSize, end };
  };
  return {
    next: async (storeId) => {
      let block = blocks.get(storeId);
      if (!block || block.next >= block.end) {
        block = await take(storeId);
        blocks.set(storeId, block);
      }
      // Between two awaits nothing else runs: two requests that took a block at once use different numbers.
      return `R-${block.next++}`;
    },
  };
}
