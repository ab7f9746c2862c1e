/**
 * Numbers that a store gives what it makes, such as R-1001 and up (D236). A process takes a block of them at a time, so
 * that writes of one store do not wait for each other on one row; what a process does not use is a gap.
 */
import type { Db } from './db.ts';
import { sqlOne } from './sql.ts';

const firstNumber = 1001;

export interface Numbers {
  next(storeId: number): Promise<string>;
}

export interface NumberBlocks {
  /** With its schema: store_id is its key, next the first number that no process has taken. */
  table: string;
  /** Stands before the number. */
  prefix: string;
  blockSize: number;
}

export function numberBlocks(db: Db, { table, prefix, blockSize }: NumberBlocks): Numbers {
  const blocks = new Map<number, { next: number; end: number }>();
  const take = async (storeId: number): Promise<{ next: number; end: number }> => {
    const { end } = await db.unit(storeId, (em) =>
      sqlOne<{ end: number }>(
        em,
        `insert into ${table} as b (store_id, next) values ($1, $2::bigint + $3)
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
      return `${prefix}${block.next++}`;
    },
  };
}
