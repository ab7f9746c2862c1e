/** Sales behind its real door over a real database, as the tests of one file share it; catalog and customers are fakes. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { CustomerFact, Message } from '@store/events';
import type { Caller } from '@store/rpc';
import { type Json, startUnderTest, testCaller, testMessage, testStaff } from '@store/testbed';
import { sales as declaration } from '../src/main.ts';
import { receiptNumbers } from '../src/sales.ts';
import { FakeCatalog, FakeCustomers, type FakeProduct } from './fakes.ts';

type Changes = NonNullable<Parameters<typeof testCaller>[0]>;

export const keyOf = (storeId: number, changes: Changes = {}): Caller => testCaller({ storeId, ...changes });
/** A clerk of the store, whose plan has no features. */
export const clerkOf = (storeId: number, changes: Changes = {}): Caller =>
  testStaff({ storeId, features: new Set(), ...changes, actor: { userName: 'Cleo Clerk', role: 'clerk', ...changes.actor } });
export const managerOf = (storeId: number, changes: Changes = {}): Caller =>
  clerkOf(storeId, { ...changes, actor: { userId: 9, userName: 'Max Manager', role: 'manager' } });

/** Calls are made as the clerk of the running test's store, unless a test says otherwise. */
async function startSales() {
  const [catalog, customers] = [new FakeCatalog(), new FakeCustomers()];
  const service = await startUnderTest(declaration, {
    open: ({ db, outbox, log }) => ({
      ...{ db, outbox, log, receiptNumbers: receiptNumbers(db) },
      ...{ catalog: catalog.rpcs, customers: customers.rpcs },
    }),
  });
  let products = 0;
  return Object.assign(service, {
    catalog,
    customers,
    create: async (sale: object, as = clerk): Promise<Json> => (await service.body('CreateSale', { sale }, as)).sale,
    update: async (id: number, sale: object, as = clerk): Promise<Json> => (await service.body('UpdateSale', { sale }, as, { id })).sale,
    get: async (id: number, as = key): Promise<Json> => (await service.byId('GetSale', id, as)).sale,
    list: (query = '', as = key): Promise<Json> => service.query('ListSales', query, as),
    /** Ids of the sales that the query lists. */
    ids: async (query = '', as = key): Promise<number[]> =>
      (await service.query('ListSales', query, as)).sales.map(({ id }: { id: number }) => id),
    refused: async (work: Promise<unknown>): Promise<Json> => (await service.refusal(work)).errors,
    names: async (): Promise<string[]> => (await service.events(store)).map(({ name }) => name),
    product: (product: Partial<FakeProduct> = {}): number => {
      products += 1;
      catalog.products.set(products, { storeId: store, name: `Product ${products}`, ...product });
      return products;
    },
    /** A customer in the copy, with store credit. */
    customer: async (id: number, credit = 0): Promise<number> => {
      await service.publish(customerMessage(store, { id, customer_code: `C${10_000 + id}` }));
      customers.balances.set(id, credit * 100);
      return id;
    },
    giftCard: async (gift_card: object, as = clerk): Promise<Json> => (await service.body('CreateGiftCard', { gift_card }, as)).gift_card,
    card: async (id: number, as = key): Promise<Json> => (await service.byId('GetGiftCard', id, as)).gift_card,
    lookup: async (card_number: string, as = key): Promise<Json> =>
      (await service.call('LookupGiftCard', { card_number }, as)).json.gift_card,
    redeem: async (id: number, body: object, as = clerk): Promise<Json> =>
      (await service.body('RedeemGiftCard', body, as, { id })).gift_card,
    cancel: async (id: number): Promise<Json> => (await service.body('CancelGiftCard', {}, clerk, { id })).gift_card,
  });
}

/** Started before the first test of the file. */
export let sales: Awaited<ReturnType<typeof startSales>>;

/** The store of the running test, with a clerk, a manager and a key of it. */
export let store = 0;
export let clerk: Caller;
export let manager: Caller;
export let key: Caller;

/** The product of the running test, if its file names one. */
export let tea = 0;

/** Starts sales before the tests of the file, stops it after them, and gives each test a new store at noon of 20 November 2026. */
export function shareSales(changes: Changes = {}, product?: Partial<FakeProduct>): void {
  beforeAll(async () => {
    sales = await startSales();
  });
  afterAll(() => sales.stop());
  beforeEach(() => {
    newStore(changes);
    sales.clock.set('2026-11-20T12:00:00.000Z');
    sales.catalog.isDown = false;
    Object.assign(sales.customers, { isDown: false, losesAnswers: false, sums: [] });
    if (product) tea = sales.product(product);
  });
}

/** Goes on with another store. */
export function newStore(changes: Changes = {}): number {
  store += 1;
  [clerk, manager, key] = [clerkOf(store, changes), managerOf(store, changes), keyOf(store, changes)];
  return store;
}

/** One tea. */
export const sell = (sale: object = {}, as = clerk): Promise<Json> =>
  sales.create({ line_items: [{ product_id: tea, quantity: 1 }], ...sale }, as);

/** Payments of a sale. */
export const paid = (...payments: [method: string, amount: unknown, card_number?: string][]) =>
  payments.map(([method, amount, card_number]) => ({ method, amount, ...(card_number && { card_number }) }));

/** An event of customers about one of them. */
export function customerMessage(storeId: number, customer: Partial<CustomerFact> & { id: number }, version = 1): Message {
  const fact = { name: 'Maya Lee', customer_code: 'C10001', email: null, phone: null, archived: false, ...customer };
  const about = { name: 'customer.updated', aggregate: `customer:${customer.id}` };
  return testMessage('customers', { storeId, ...about, internal: { customer: fact }, version });
}

const columns = { fulfillment_method: 'in_store', fulfillment_status: 'fulfilled', customer_id: null, cash_drawer_session_id: null };
let receipts = 0;

export type PlantedSale = Partial<
  Record<'receipt_number' | 'status' | 'completed_at' | 'created_at', string> & Record<keyof typeof columns, unknown>
>;

/** A sale as rows, for tests of reads: with dates and states that no register would write today; completed when it was created unless it says otherwise. */
export async function plantSale(sale: PlantedSale = {}): Promise<number> {
  const { status = 'completed', created_at = sales.clock.now().toISOString() } = sale;
  const completed_at = sale.completed_at ?? (['pending', 'ready'].includes(status) ? null : created_at);
  const void_ = status === 'voided' && { voided_at: created_at, void_reason: 'Wrong size' };
  const listed_at = completed_at ?? created_at;
  const row = { ...columns, receipt_number: `P${++receipts}`, ...void_, ...sale, status, created_at, completed_at, listed_at };
  const [planted] = await sales.run<{ id: number }>(
    `with sale as (
       insert into sales.sales (store_id, receipt_number, status, source, sale_type, payment_method, customer_id, clerk_id, clerk_name,
         subtotal, discount_amount, sale_discount, tax_rates, tax_amount, total, fulfillment_method, fulfillment_status,
         cash_drawer_session_id, completed_at, voided_at, void_reason, listed_at, created_at, updated_at)
       select $1, receipt_number, status, 'pos', 'retail', 'cash', customer_id, 7, 'Cleo Clerk', 10.17, 0, 0, '["20.00"]', 2.03, 12.20,
         fulfillment_method, fulfillment_status, cash_drawer_session_id, completed_at, voided_at, void_reason, listed_at, created_at, created_at
       from json_populate_record(null::sales.sales, $2::json) returning store_id, id)
     insert into sales.sale_line_items (store_id, sale_id, position, product_id, product_name, sku, quantity, unit_price, discount_amount,
       total, kitchen_item) select store_id, id, 0, 1042, 'White metal lantern', '71053', 3, '3.39', 0, '10.17', false from sale
     returning sale_id as id`,
    [store, JSON.stringify(row)],
  );
  return planted!.id;
}
