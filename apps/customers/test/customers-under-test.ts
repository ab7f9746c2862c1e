/** Customers behind its door, with shortcuts for what its tests do most. */
import type { Caller } from '@store/rpc';
import { type Json, ServiceUnderTest, testCaller } from '@store/testbed';
import { customers as declaration } from '../src/main.ts';

/** A key of the store; `staffOf` is a manager of it. */
export function keyOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return testCaller({ storeId, ...changes });
}

export function staffOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  const actor = { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'manager' } as const;
  return keyOf(storeId, { actor, ...changes });
}

export type CustomersUnderTest = Awaited<ReturnType<typeof startCustomers>>;

export async function startCustomers() {
  const service = await ServiceUnderTest.start(declaration, { open: ({ db, outbox, log }) => ({ db, outbox, log }) });
  return Object.assign(service, {
    /** POST /customers: the status and the body. */
    post: async (customer: object, caller: Caller, more: object = {}): Promise<{ status: number; json: Json }> => {
      const { status = 201, json } = await service.answer('CreateCustomer', { customer, ...more }, caller);
      return { status, json };
    },
    create: async (customer: object, caller: Caller, more: object = {}): Promise<Json> =>
      (await service.body('CreateCustomer', { customer, ...more }, caller)).customer,
    patch: async (id: number, customer: object, caller: Caller): Promise<Json> =>
      (await service.body('UpdateCustomer', { customer }, caller, { id })).customer,
    get: async (id: number, caller: Caller): Promise<Json> => (await service.byId('GetCustomer', id, caller)).customer,
    list: (query: string, caller: Caller): Promise<Json> => service.query('ListCustomers', query, caller),
    names: async (query: string, caller: Caller): Promise<string[]> =>
      (await service.query('ListCustomers', query, caller)).customers.map(({ name }: Json) => name),
    archive: (id: number, caller: Caller): Promise<Json> => service.byId('ArchiveCustomer', id, caller),
  });
}
