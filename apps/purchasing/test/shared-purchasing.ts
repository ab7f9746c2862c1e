/** Purchasing as the tests of one file share it, with the products that catalog knows. */
import { afterAll, beforeAll } from '@jest/globals';
import { type PurchasingUnderTest, startPurchasing } from './start-purchasing.ts';

/** Started before the first test of the file. */
export let purchasing: PurchasingUnderTest;
export const storeId = 1;

/** Starts purchasing before the tests of the file and stops it after them. */
export function sharePurchasing(): void {
  beforeAll(async () => {
    purchasing = await startPurchasing();
    purchasing.catalog.products
      .set(1, { storeId, name: 'White metal lantern', sku: '71053' })
      .set(2, { storeId, name: 'Loose tea', unitType: 'gram' })
      .set(3, { storeId, name: 'Chair', hasVariations: true })
      .set(9, { storeId: 2, name: 'Theirs' });
  });
  afterAll(() => purchasing.stop());
}
