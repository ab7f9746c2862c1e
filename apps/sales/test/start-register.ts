/** Sales as the register uses it: with products, and with customers that hold store credit. */
import type { Caller } from '@store/rpc';
import type { Json } from '@store/testbed';
import { FakeCatalog, FakeCustomers, type FakeProduct } from './fakes.ts';
import { customerMessage, staffOf, startSales } from './start-sales.ts';

/** A clerk of the store. */
export function clerkOf(storeId: number, changes: Parameters<typeof staffOf>[1] = {}): Caller {
  const actor = { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Cleo Clerk', role: 'clerk' } as const;
  return staffOf(storeId, { features: new Set(), ...changes, actor: { ...actor, ...changes.actor } });
}

export type Register = Awaited<ReturnType<typeof startRegister>>;

export async function startRegister() {
  const catalog = new FakeCatalog();
  const customers = new FakeCustomers();
  const service = await startSales({ catalog: catalog.rpcs, customers: customers.rpcs });
  let products = 0;
  const create = async (sale: object, caller: Caller): Promise<Json> => (await service.body('CreateSale', { sale }, caller)).sale;
  const update = async (id: number, sale: object, caller: Caller): Promise<Json> =>
    (await service.body('UpdateSale', { sale }, caller, { id })).sale;
  return Object.assign(service, {
    catalog,
    customers,
    create,
    update,
    refused: async (work: Promise<unknown>): Promise<Json> => (await service.refusal(work)).errors,
    product: (storeId: number, product: Partial<FakeProduct> = {}): number => {
      products += 1;
      catalog.products.set(products, { storeId, name: `Product ${products}`, ...product });
      return products;
    },
    /** A customer in the copy, with store credit. */
    customer: async (storeId: number, id: number, credit = 0): Promise<number> => {
      await service.publish(customerMessage(storeId, { id, customer_code: `C${10_000 + id}` }));
      customers.balances.set(id, credit * 100);
      return id;
    },
  });
}
