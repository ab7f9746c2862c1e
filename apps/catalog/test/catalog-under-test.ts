/** The catalogue behind its door, as the tests of one file share it, with shortcuts for what they do most. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { type Json, startUnderTest, testCaller, testStaff } from '@store/testbed';
import { catalog as declaration } from '../src/main.ts';

type Changes = Parameters<typeof testCaller>[0];
const ofStore = (storeId: number, changes: Changes) => ({ storeId, features: new Set<string>(), ...changes });

/** A key of the store, which has no features; `staffOf` is a manager of it. */
export const keyOf = (storeId: number, changes: Changes = {}): Caller => testCaller(ofStore(storeId, changes));
export const staffOf = (storeId: number, changes: Changes = {}): Caller => testStaff(ofStore(storeId, changes));

export type CatalogUnderTest = Awaited<ReturnType<typeof startCatalog>>;

export async function startCatalog() {
  const service = await startUnderTest(declaration, { open: ({ db, outbox }) => ({ db, outbox }) });
  const list = (query: string, caller: Caller): Promise<Json> => service.query('ListProducts', query, caller);
  return Object.assign(service, {
    list,
    names: async (query: string, caller: Caller): Promise<string[]> =>
      (await list(query, caller)).products.map((product: Json) => product.name),
    product: async (product: object, caller: Caller): Promise<Json> => (await service.body('CreateProduct', { product }, caller)).product,
    get: async (id: number, caller: Caller): Promise<Json> => (await service.byId('GetProduct', id, caller)).product,
    category: async (category: object, caller: Caller): Promise<Json> =>
      (await service.body('CreateCategory', { category }, caller)).category,
    brand: async (name: string, caller: Caller): Promise<Json> => (await service.body('CreateBrand', { brand: { name } }, caller)).brand,
    center: async (name: string, caller: Caller): Promise<Json> =>
      (await service.body('CreateRevenueCenter', { revenue_center: { name } }, caller)).revenue_center,
    /** Ten percent, where the fields say no other. */
    promotion: async (fields: object, caller: Caller): Promise<Json> => {
      const promotion = { name: 'P', discount_type: 'percentage', value: 10, ...fields };
      return (await service.body('CreatePromotion', { promotion }, caller)).promotion;
    },
    stock: async (storeId: number, levels: { product_id: number; stock: string; version: number }[]): Promise<number> =>
      (await service.call('ApplyStock', { levels }, keyOf(storeId))).json.applied,
  });
}

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
  beforeEach(newStore);
}

export function newStore(): void {
  storeId += 1;
  key = keyOf(storeId);
  staff = staffOf(storeId);
}

export const updateProduct = (id: number, product: object, caller = staff): Promise<Json> =>
  catalog.body('UpdateProduct', { product }, caller, { id });
export const updateCategory = (id: number, category: object): Promise<Json> => catalog.body('UpdateCategory', { category }, staff, { id });

/** The product of an event. */
export const productOf = ({ aggregate }: { aggregate: string }): number => Number(aggregate.replace('product:', ''));
