import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { operations } from '../../apps/admin/src/api/gen/operations.js';

/** What staff may call and no page does, with the reason. */
const withoutPage: Record<string, string> = {
  bulkUpsert: 'programs load catalogues; a person changes one product',
  bulkUpdateProducts: 'programs change many products; a person changes one',
  createBrand: 'brands come with the catalogue that is loaded',
  updateBrand: 'brands come with the catalogue that is loaded',
  deleteBrand: 'brands come with the catalogue that is loaded',
  listRevenueCenters: 'set up once, with the program that reads them',
  createRevenueCenter: 'set up once, with the program that reads them',
  updateRevenueCenter: 'set up once, with the program that reads them',
  deleteRevenueCenter: 'set up once, with the program that reads them',
  updateCustomerByPut: 'the same as PATCH',
  lookupCustomerByCode: 'the search finds codes',
  getGiftCard: 'a card is found by its number',
  redeemGiftCard: 'a card is a tender of a sale',
  earnPoints: 'sales earn points',
  deleteMonitored: 'the page of a subscription disables it, and keeps its history',
  getStoreCreditSnapshot: 'for the books, which a program keeps',
  snapshotGiftCards: 'for the books, which a program keeps',
};

test('what the API has for staff is called by a page of the panel, or has its reason', () => {
  const folder = path.join(import.meta.dirname, '../../apps/admin/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.') && !file.startsWith(path.join('api', 'gen')));
  const text = sources.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  const uncalled = Object.keys(operations).filter((name) => !text.includes(`'${name}'`));
  // A reason that no longer holds goes too.
  expect(uncalled.sort()).toEqual(Object.keys(withoutPage).sort());
});
