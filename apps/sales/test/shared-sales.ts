/** The sales service as the tests of one file share it. */
import { afterAll, beforeAll } from '@jest/globals';
import { type SalesUnderTest, startSales } from './start-sales.ts';

/** Started before the first test of the file. */
export let sales: SalesUnderTest;

/** Starts sales before the tests of the file and stops it after them. */
export function shareSales(...options: Parameters<typeof startSales>): void {
  beforeAll(async () => {
    sales = await startSales(...options);
  });
  afterAll(() => sales.stop());
}
