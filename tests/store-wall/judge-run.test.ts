import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { passesOn } from '@store/testbed/record-statements';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { repository } from '../../tools/local/data-dir.ts';
import { exceptions } from './exceptions.ts';
import { judgeRun } from './judge-run.ts';

const folder = temporaryFolder();
let planted = 0;
function plant(text: string, at: string, application = 'store-catalog'): void {
  writeFileSync(path.join(folder, `${planted++}.json`), JSON.stringify({ text, at: `${repository}${at}`, application }));
}

test('a planted statement that forgets its store fails the run, by name and place', async () => {
  const forgets = 'select name from catalog.products where id = $1';
  plant(forgets, 'apps/catalog/src/products/get-product.ts:14');
  plant('select name from catalog.products where store_id = $1 and id = $2', 'apps/catalog/src/products/get-product.ts:15');
  // An exception applies to its own statement, not to its file.
  plant(forgets, 'apps/catalog/src/promotions/announce-promotions.ts:9');
  plant('select id from catalog.outbox order by id limit $1', 'libs/events/src/outbox/outbox-rows.ts:29');
  // Tests may read anything, and migrations change the rows of every store.
  plant(forgets, 'apps/catalog/test/plans.test.ts:3');
  plant('update catalog.products set name = trim(name)', 'libs/db/src/migrate.ts:3', 'store-catalog-migrations');
  const { judged, faults } = await judgeRun(folder);
  expect(judged).toBe(4);
  expect(faults).toEqual([
    `apps/catalog/src/products/get-product.ts:14: catalog.products is bound to no store\n    ${forgets}`,
    `apps/catalog/src/promotions/announce-promotions.ts:9: catalog.products is bound to no store\n    ${forgets}`,
  ]);
});

test('every exception says why, and is of a file that statements are recorded of', () => {
  for (const { file, reason } of exceptions) {
    expect([file, reason.split(' ').length > 5]).toEqual([file, true]);
    expect([file, passesOn.test(`/${file}:1:1`)]).toEqual([file, false]);
  }
});
