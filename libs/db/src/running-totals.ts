/** How many rows a list of a store has, exact without counting (D43, D192). Every write adds a row, which a timer adds up. */
import { defineEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { idColumn, storeIdColumn } from './columns.ts';
import { compactSums } from './compact-sums.ts';
import type { Db } from './db.ts';
import { sql } from './sql.ts';

export const RunningTotal = defineEntity({
  name: 'RunningTotal',
  tableName: 'running_totals',
  properties: { id: idColumn(), storeId: storeIdColumn(), list: p.text(), added: p.bigint('number') },
  indexes: [{ name: 'running_totals_list', properties: ['storeId', 'list'], include: ['added'] }],
});

export const runningTotalsTable = `
  create table running_totals (
    id bigint generated always as identity primary key,
    store_id bigint not null,
    list text not null,
    added bigint not null
  );
  create index running_totals_list on running_totals (store_id, list) include (added)`;

/** Adds `added` (below 0: takes) to the total of a list such as customers, in the transaction that writes its rows. */
export async function addToTotal(em: EntityManager, schema: string, storeId: number, list: string, added: number): Promise<void> {
  await sql(em, `insert into ${schema}.running_totals (store_id, list, added) values ($1, $2, $3)`, [storeId, list, added]);
}

/** The statement that reads a list's total; $1 is the store. */
export function runningTotal(schema: string, list: string): string {
  return `select coalesce(sum(added), 0)::bigint as total from ${schema}.running_totals where store_id = $1 and list = '${list}'`;
}

const compactTotalsEveryMs = 60_000;

export const compactTotals = (db: Db) =>
  compactSums(db, { table: `${db.schema}.running_totals`, keys: ['store_id', 'list'], sum: 'added' });

export const totalsTimer = { name: 'totals', everyMs: compactTotalsEveryMs, work: ({ db }: { db: Db }) => compactTotals(db) };
