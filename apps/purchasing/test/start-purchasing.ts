/** Purchasing behind its real door over a real database; only catalog is a fake. */
import type { Caller } from '@store/rpc';
import { type Json, ServiceUnderTest, testCaller } from '@store/testbed';
import { purchasing } from '../src/main.ts';
import { orderNumbers } from '../src/order-numbers/order-numbers.ts';
import { FakeCatalog } from './fake-catalog.ts';

/** A manager of the store. */
export function asStaff(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  const actor = { type: 'user' as const, keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'manager' };
  return testCaller({ storeId, timeZone: 'America/Toronto', features: new Set(), actor, ...changes });
}

/** The service under test with what most tests of purchasing ask it for, as a manager of the store. */
export async function startPurchasing() {
  const catalog = new FakeCatalog();
  const service = await ServiceUnderTest.start(purchasing, {
    open: ({ db, outbox, log }) => ({ db, outbox, log, catalog, orderNumbers: orderNumbers(db) }),
  });
  const staff = (storeId: number) => asStaff(storeId);
  const order = async (storeId: number, line_items: object[], fields: object = {}): Promise<Json> =>
    (await service.body('CreatePurchaseOrder', { purchase_order: { line_items, ...fields } }, staff(storeId))).purchase_order;
  const receive = async (storeId: number, id: number, body: object): Promise<Json> =>
    (await service.body('ReceivePurchaseOrder', body, staff(storeId), { id })).purchase_order;
  const invoice = async (storeId: number, id: number, line_items: object[]): Promise<Json> =>
    (await service.body('InvoicePurchaseOrder', { line_items }, staff(storeId), { id })).purchase_order;
  const correct = async (storeId: number, id: number, line_id: number, line_item: object): Promise<Json> =>
    (await service.body('UpdatePurchaseOrderLine', { line_item }, staff(storeId), { id, line_id })).purchase_order;
  const move = async (storeId: number, id: number, status: string): Promise<Json> =>
    (await service.body('UpdatePurchaseOrder', { purchase_order: { status } }, staff(storeId), { id })).purchase_order;
  const get = async (storeId: number, id: number): Promise<Json> =>
    (await service.byId('GetPurchaseOrder', id, staff(storeId))).purchase_order;
  const list = (query: string, caller: Caller): Promise<Json> => service.query('ListPurchaseOrders', query, caller);
  return Object.assign(service, { catalog, order, receive, invoice, correct, move, get, list });
}

export type PurchasingUnderTest = Awaited<ReturnType<typeof startPurchasing>>;
