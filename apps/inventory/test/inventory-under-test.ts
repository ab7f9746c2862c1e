/** Inventory behind its real door over a real database, as the tests of one file share it; only catalog is a fake. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Message } from '@store/events';
import type { Caller } from '@store/rpc';
import { type Json, startUnderTest, testCaller, testMessage, testStaff } from '@store/testbed';
import { inventory as declaration } from '../src/main.ts';
import { FakeCatalog, type FakeProduct } from './fake-catalog.ts';

/** Connections of the service at most. */
export const poolMax = 20;

type Changes = Parameters<typeof testCaller>[0];
const ofStore = (storeId: number, changes: Changes) => ({ storeId, timeZone: 'America/Toronto', features: new Set<string>(), ...changes });

/** A key of the store, which has no features; `staffOf` is a manager of it. */
export const keyOf = (storeId: number, changes: Changes = {}): Caller => testCaller(ofStore(storeId, changes));
export const staffOf = (storeId: number, changes: Changes = {}): Caller => testStaff(ofStore(storeId, changes));

async function startInventory() {
  const catalog = new FakeCatalog();
  const service = await startUnderTest(declaration, { poolMax, open: ({ db, outbox, log }) => ({ db, outbox, catalog, log }) });
  return Object.assign(service, {
    catalog,
    adjust: async (body: object, caller: Caller): Promise<Json> =>
      (await service.body('CreateStockAdjustment', body, caller)).stock_adjustment,
    bulk: (body: object, caller: Caller): Promise<Json> => service.body('BulkUpdateProducts', body, caller),
    list: (query: string, caller: Caller): Promise<Json> => service.query('ListStockAdjustments', query, caller),
    addLocation: async (name: string, kind: string, caller: Caller): Promise<Json> =>
      (await service.body('CreateWarehouseLocation', { warehouse_location: { name, kind } }, caller)).warehouse_location,
    stockOf: async (storeId: number, productId: number): Promise<number> => {
      const of = 'select quantity from inventory.stock_items where store_id = $1 and product_id = $2';
      const [item] = await service.db.read<{ quantity: string }>(of, [storeId, productId]);
      return Number(item?.quantity ?? 0);
    },
  });
}

/** Started before the first test of the file. */
export let inventory: Awaited<ReturnType<typeof startInventory>>;

/** The store that nothing was written to before `newStore`, a key of it and its manager. */
export let storeId = 0;
export let caller: Caller = keyOf(storeId);
export let staff: Caller = staffOf(storeId);
let lastProduct = 1_000;

/** Starts inventory before the tests of the file and stops it after them. */
export function shareInventory(): void {
  beforeAll(async () => {
    inventory = await startInventory();
  });
  afterAll(() => inventory.stop());
}

export function newStore(changes: Changes = {}): void {
  storeId += 1;
  caller = keyOf(storeId, changes);
  staff = staffOf(storeId, changes);
}

/** A new store that tracks stock by location; the ids of its two. */
export async function newStoreWithLocations(): Promise<{ floor: number; back: number }> {
  newStore({ features: new Set(['stock_locations']) });
  const [floor, back] = [await inventory.addLocation('Shop', 'floor', staff), await inventory.addLocation('Cellar', 'back', staff)];
  return { floor: floor.id, back: back.id };
}

/** A product of the store, in the catalogue that inventory asks. */
export function product(changes: Partial<FakeProduct> = {}): number {
  lastProduct += 1;
  inventory.catalog.products.set(lastProduct, { storeId, name: `Lantern ${lastProduct}`, sku: `L-${lastProduct}`, ...changes });
  return lastProduct;
}

/** The body of an adjustment that receives. */
export const receive = (product_id: number, quantity_change: number | string, more: object = {}) => ({
  ...{ product_id, adjustment_type: 'receive', quantity_change },
  ...more,
});

/** Ledger rows of the store, newest first. */
export const ledger = async (query = ''): Promise<Json[]> => (await inventory.list(query, caller)).stock_adjustments;

/** The gateway tells of a member of staff. */
export function staffMessage(store: number, id: number, name: string, version?: number): Message {
  const audit = { action: 'staff_user.update', resource_type: 'StaffUser', resource_id: id, before: null, after: { name }, ip: '' };
  const about = { name: 'staff_user.updated', aggregate: `staff_user:${id}` };
  return testMessage('gateway', { storeId: store, ...about, internal: { audit }, version });
}
