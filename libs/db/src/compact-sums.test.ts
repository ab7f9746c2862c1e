import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SetClock, type TestDatabase, testDatabase } from '@store/testbed';
import pg from 'pg';
import { type Db, openDb } from './index.ts';
import { compactTotals, runningTotalsTable } from './running-totals.ts';

let database: TestDatabase;
let admin: pg.Client;
let db: Db;

beforeAll(async () => {
  database = await testDatabase('folds', async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`create schema shop; set search_path to shop; ${runningTotalsTable}`);
    await client.end();
  });
  admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  db = await openDb({ url: database.url, schema: 'shop', clock: new SetClock('2026-11-20T12:00:00Z'), entities: [], poolMax: 1 });
});
afterAll(async () => {
  await db?.close();
  await admin?.end();
  await database?.close();
});

const add = (storeId: number, rows: number, added = 1) =>
  admin.query("insert into shop.running_totals (store_id, list, added) select $1, 'sales', $3 from generate_series(1, $2::int)", [
    storeId,
    rows,
    added,
  ]);

async function totals(): Promise<Record<string, [rows: number, total: number]>> {
  const { rows } = await admin.query('select store_id, count(*)::int as n, sum(added)::int as total from shop.running_totals group by 1');
  return Object.fromEntries(rows.map(({ store_id, n, total }) => [store_id, [n, total]]));
}

test('sums that were written since the last fold become one row, and the others are not looked at', async () => {
  await add(1, 40);
  await add(2, 3);
  await compactTotals(db);
  expect(await totals()).toEqual({ 1: [1, 40], 2: [3, 3] });
  // Under numbers from before the last fold: only a look at every sum would find them.
  await admin.query(
    "insert into shop.running_totals (id, store_id, list, added) overriding system value select -n, 3, 'sales', 1 from generate_series(1, 40) n",
  );
  await add(2, 40);
  await compactTotals(db);
  expect(await totals()).toEqual({ 1: [1, 40], 2: [1, 43], 3: [40, 40] });
  await add(3, 1);
  await add(1, 1, -40);
  await compactTotals(db);
  expect(await totals()).toEqual({ 2: [1, 43], 3: [1, 41] });
});
