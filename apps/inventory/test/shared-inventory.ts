/** Inventory as the tests of one file share it, and the store that the running test writes to. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Caller } from '@store/rpc';
import type { FakeProduct } from './fake-catalog.ts';
import { callerOf, type InventoryUnderTest, startInventory } from './start-inventory.ts';

/** Started before the first test of the file. */
export let inventory: InventoryUnderTest;

/** The store that nothing was written to before `newStore`, and a key of it. */
export let storeId = 0;
export let caller: Caller = callerOf(storeId);
let lastProduct = 1_000;

/** Starts inventory before the tests of the file and stops it after them. */
export function shareInventory(): void {
  beforeAll(async () => {
    inventory = await startInventory();
  });
  afterAll(() => inventory.stop());
}

export function newStore(changes: Parameters<typeof callerOf>[1] = {}): void {
  storeId += 1;
  caller = callerOf(storeId, changes);
}

/** A product of the store, in the catalogue that inventory asks. */
export function product(changes: Partial<FakeProduct> = {}): number {
  lastProduct += 1;
  inventory.catalog.products.set(lastProduct, { storeId, name: `Lantern ${lastProduct}`, sku: `L-${lastProduct}`, ...changes });
  return lastProduct;
}

/** The body of an adjustment that receives. */
export const receive = (productId: number, quantity: number | string, more: object = {}) => ({
  product_id: productId,
  adjustment_type: 'receive',
  quantity_change: quantity,
  ...more,
});
