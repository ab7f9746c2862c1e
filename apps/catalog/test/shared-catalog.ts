/** The catalogue that the tests of one file share, each with a store of its own. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { type CatalogUnderTest, keyOf, staffOf, startCatalog } from './catalog-under-test.ts';

/** Started before the first test of the file. */
export let catalog: CatalogUnderTest;

/** The store of the running test, a key of it and its manager. */
export let storeId = 0;
export let key: Caller;
export let staff: Caller;

/** Starts the catalogue before the tests of the file, stops it after them, and gives each test a new store. */
export function shareCatalog(): void {
  beforeAll(async () => {
    catalog = await startCatalog();
  });
  afterAll(() => catalog.stop());
  beforeEach(() => {
    storeId += 1;
    key = keyOf(storeId);
    staff = staffOf(storeId);
  });
}
