/**
 * Numbers such as R-1001 and up (D236). A process takes a block at a time, so that writes of one store do not wait for each other; unused
 * numbers are gaps. Numbers that clients gave by hand are left out of a block by the statement that takes it.
 */
import { p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inBackground } from '@store/shares/asker';
import type { Db } from './db.ts';
import { sql } from './sql.ts';

const firstNumber = 1001;

/** The columns of a table of blocks, a row of which is a store's. */
export const numberBlockColumns = () => ({
  storeId: p.bigint('number').primary().autoincrement(false),
  /** First number that no process has taken. */
  next: p.bigint('number'),
});

export interface Numbers {
  next(storeId: number): Promise<string>;
  /** In the transaction of `em`, when it finds that a client has used the number meanwhile: one that is free, and a new block from then on. */
  nextFree(em: EntityManager, storeId: number): Promise<string>;
}

interface NumberBlocks {
  /** With its schema; it has the columns of `numberBlockColumns`. */
  table: string;
  prefix: string;
  blockSize: number;
  /** The numbers in use: the table, with its schema, and the column that is unique in a store. */
  used: { table: string; column: string };
}

/** More numbers in a row than any store has used by hand. */
const searchMax = 1_000_000_000;

export function numberBlocks(db: Db, { table, prefix, blockSize, used }: NumberBlocks): Numbers {
  /** What is left of each store's block; requests that wait for a new one share it. */
  const blocks = new Map<number, Promise<number[]>>();
  const lock = `insert into ${table} as b (store_id, next) values ($1, $2)
    on conflict (store_id) do update set next = b.next returning next`;
  // A condition that PostgreSQL does not turn into a join: it looks up one number after the other and stops at the last it needs.
  const isFree = `(select true from ${used.table} u where u.store_id = $1 and u.${used.column} = '${prefix}' || n) is null`;
  const takeFree = `
    with free as (
      select n from (select generate_series($2::bigint, $2::bigint + ${searchMax}) as n) numbers where ${isFree} limit $3)
    update ${table} set next = (select max(n) + 1 from free) where store_id = $1
    returning (select json_agg(n order by n) from free) as numbers`;
  const take = async (em: EntityManager, storeId: number, count: number): Promise<number[]> => {
    const [block] = await sql<{ next: number }>(em, lock, [storeId, firstNumber]);
    const [taken] = await sql<{ numbers: number[] }>(em, takeFree, [storeId, block!.next, count]);
    return taken!.numbers;
  };
  const newBlock = (storeId: number): Promise<number[]> => {
    const block = inBackground(() => db.unit(storeId, (em) => take(em, storeId, blockSize)));
    blocks.set(storeId, block);
    return block;
  };
  const nextNumber = async (storeId: number): Promise<number> => {
    const block = blocks.get(storeId) ?? newBlock(storeId);
    // One that is used up, or could not be taken, is not asked again.
    const drop = () => blocks.get(storeId) === block && blocks.delete(storeId);
    const left = await block.catch((error: unknown) => {
      drop();
      throw error;
    });
    const number = left.shift();
    if (left.length === 0) drop();
    return number ?? nextNumber(storeId);
  };
  return {
    next: async (storeId) => `${prefix}${await nextNumber(storeId)}`,
    nextFree: async (em, storeId) => {
      blocks.delete(storeId);
      return `${prefix}${(await take(em, storeId, 1))[0]}`;
    },
  };
}
