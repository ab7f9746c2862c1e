import { expect, test } from '@jest/globals';
import { admin, db, shareDatabase } from '../test/database.ts';
import { compactTotals, runningTotalsTable } from './running-totals.ts';

shareDatabase(runningTotalsTable, { poolMax: 1 });

const insert = "insert into shop.running_totals (store_id, list, added) select $1, 'sales', $3 from generate_series(1, $2::int)";
const add = (storeId: number, rows: number, added = 1) => admin.query(insert, [storeId, rows, added]);

async function totals(): Promise<Record<string, [rows: number, total: number]>> {
  const { rows } = await admin.query('select store_id, count(*)::int as n, sum(added)::int as total from shop.running_totals group by 1');
  return Object.fromEntries(rows.map(({ store_id, n, total }) => [store_id, [n, total]]));
}

test('sums written since the last fold become one row; others are not looked at', async () => {
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
