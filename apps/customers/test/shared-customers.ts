/** The customers service that the tests of one file share, each with a store of its own. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { type CustomersUnderTest, keyOf, staffOf, startCustomers } from './customers-under-test.ts';

/** Started before the first test of the file. */
export let customers: CustomersUnderTest;

/** The store of the running test, a key of it and its manager. */
export let storeId = 0;
export let key: Caller;
export let staff: Caller;

/** Starts customers before the tests of the file, stops it after them, and gives each test a new store. */
export function shareCustomers(): void {
  beforeAll(async () => {
    customers = await startCustomers();
  });
  afterAll(() => customers.stop());
  beforeEach(newStore);
}

/** Goes on with another store. */
export function newStore(): void {
  storeId += 1;
  key = keyOf(storeId);
  staff = staffOf(storeId);
}
