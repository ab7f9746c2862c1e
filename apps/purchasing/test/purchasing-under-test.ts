/** Purchasing behind its real door over a real database, as the tests of one file share it; only catalog is a fake. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { type Json, startUnderTest, testStaff } from '@store/testbed';
import { purchasing as declaration } from '../src/main.ts';
import { orderNumbers } from '../src/order-numbers/order-number-block.ts';
import { FakeCatalog } from './fake-catalog.ts';

/** The store of most tests. */
export const storeId = 1;

/** A manager of the store. */
export const staffOf = (store: number, changes: Parameters<typeof testStaff>[0] = {}): Caller =>
  testStaff({ storeId: store, timeZone: 'America/Toronto', features: new Set(), ...changes });

/** The service under test with what most tests ask it for, as a manager of the store. */
async function startPurchasing() {
  const catalog = new FakeCatalog();
  const service = await startUnderTest(declaration, {
    open: ({ db, outbox, log }) => ({ db, outbox, log, catalog, orderNumbers: orderNumbers(db) }),
  });
  const ask = async (rpc: string, body: object, path: Record<string, number>, store: number): Promise<Json> =>
    (await service.body(rpc, body, staffOf(store), path)).purchase_order;
  return Object.assign(service, {
    catalog,
    supplier: async (name: string): Promise<number> =>
      (await service.body('CreateSupplier', { supplier: { name } }, staffOf(storeId))).supplier.id,
    order: (line_items: object[], fields: object = {}, store = storeId) =>
      ask('CreatePurchaseOrder', { purchase_order: { line_items, ...fields } }, {}, store),
    receive: (id: number, body: object, store = storeId) => ask('ReceivePurchaseOrder', body, { id }, store),
    invoice: (id: number, line_items: object[]) => ask('InvoicePurchaseOrder', { line_items }, { id }, storeId),
    correct: (id: number, line_id: number, line_item: object, store = storeId) =>
      ask('UpdatePurchaseOrderLine', { line_item }, { id, line_id }, store),
    move: (id: number, status: string, store = storeId) => ask('UpdatePurchaseOrder', { purchase_order: { status } }, { id }, store),
    get: async (id: number, by = staffOf(storeId)): Promise<Json> => (await service.byId('GetPurchaseOrder', id, by)).purchase_order,
    list: (query = '', by = staffOf(storeId)): Promise<Json> => service.query('ListPurchaseOrders', query, by),
  });
}

/** Started before the first test of the file. */
export let purchasing: Awaited<ReturnType<typeof startPurchasing>>;

/** Starts purchasing, with the products that catalog knows, before the tests of the file and stops it after them; each has catalog up. */
export function sharePurchasing(): void {
  beforeAll(async () => {
    purchasing = await startPurchasing();
    purchasing.catalog.products
      .set(1, { storeId, name: 'White metal lantern', sku: '71053' })
      .set(2, { storeId, name: 'Loose tea', unitType: 'gram' })
      .set(3, { storeId, name: 'Chair', hasVariations: true })
      .set(9, { storeId: 2, name: 'Theirs' });
  });
  beforeEach(() => {
    purchasing.catalog.isDown = false;
  });
  afterAll(() => purchasing.stop());
}
