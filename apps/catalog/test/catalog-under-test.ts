/** The catalogue behind its door, with shortcuts for what its tests do most. */
import type { Caller } from '@store/rpc';
import { type Json, startUnderTest, testCaller } from '@store/testbed';
import { catalog as declaration } from '../src/main.ts';

/** A key of the store, which has no features; `staffOf` is a manager of it. */
export function keyOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return testCaller({ storeId, features: new Set(), ...changes });
}

export function staffOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  const actor = { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'manager' } as const;
  return keyOf(storeId, { actor, ...changes });
}

export type CatalogUnderTest = Awaited<ReturnType<typeof startCatalog>>;

export async function startCatalog() {
  const service = await startUnderTest(declaration, { open: ({ db, outbox }) => ({ db, outbox }) });
  const list = (query: string, caller: Caller): Promise<Json> => service.query('ListProducts', query, caller);
  return Object.assign(service, {
    list,
    /** Resolves once so many transactions of this database wait for a lock, or `work` has ended without that. */
    waiting: async (transactions: number, work?: Promise<unknown>): Promise<void> => {
      let ended = false;
      const end = () => {
        ended = true;
      };
      work?.then(end, end);
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while (!ended && (await service.db.read(waits)).length < transactions);
    },
    names: async (query: string, caller: Caller): Promise<string[]> =>
      (await list(query, caller)).products.map((product: Json) => product.name),
    product: async (product: object, caller: Caller): Promise<Json> => (await service.body('CreateProduct', { product }, caller)).product,
    get: async (id: number, caller: Caller): Promise<Json> => (await service.byId('GetProduct', id, caller)).product,
    category: async (category: object, caller: Caller): Promise<Json> =>
      (await service.body('CreateCategory', { category }, caller)).category,
    brand: async (name: string, caller: Caller): Promise<Json> => (await service.body('CreateBrand', { brand: { name } }, caller)).brand,
    stock: async (storeId: number, levels: { product_id: number; stock: string; version: number }[]): Promise<number> =>
      (await service.call('ApplyStock', { levels }, keyOf(storeId))).json.applied,
  });
}

/** The product of an event. */
export const productOf = ({ aggregate }: { aggregate: string }): number => Number(aggregate.replace('product:', ''));
