/** Customers behind its door, as the tests of one file share it, with shortcuts for what they do most. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { type Json, startUnderTest, storeMessage, testCaller, testStaff } from '@store/testbed';
import { customers as declaration } from '../src/main.ts';

type Changes = Parameters<typeof testCaller>[0];
/** A key of the store; `staffOf` is a manager of it. */
export const keyOf = (storeId: number, changes: Changes = {}): Caller => testCaller({ storeId, ...changes });
export const staffOf = (storeId: number, changes: Changes = {}): Caller => testStaff({ storeId, ...changes });

export type CustomersUnderTest = Awaited<ReturnType<typeof startCustomers>>;

/** Calls are made with the key of the running test's store, and archive as its manager, unless a test says otherwise. */
export async function startCustomers() {
  const service = await startUnderTest(declaration, { open: ({ db, outbox, log }) => ({ db, outbox, log }) });
  const post = async (customer: object, as = key, more: object = {}): Promise<{ status: number; json: Json }> => {
    const { status = 201, json } = await service.answer('CreateCustomer', { customer, ...more }, as);
    return { status, json };
  };
  const list = (query = '', as = key): Promise<Json> => service.query('ListCustomers', query, as);
  return Object.assign(service, {
    post,
    list,
    create: async (customer: object, as = key, more: object = {}): Promise<Json> => (await post(customer, as, more)).json.customer,
    patch: async (id: number, customer: object, as = key): Promise<Json> =>
      (await service.body('UpdateCustomer', { customer }, as, { id })).customer,
    get: async (id: number, as = key): Promise<Json> => (await service.byId('GetCustomer', id, as)).customer,
    names: async (query = '', as = key): Promise<string[]> => (await list(query, as)).customers.map(({ name }: Json) => name),
    archive: (id: number, as = staff): Promise<Json> => service.byId('ArchiveCustomer', id, as),
    restore: async (id: number, as = staff): Promise<Json> => (await service.byId('RestoreCustomer', id, as)).customer,
    tier: async (loyalty_tier: object, as = staff): Promise<Json> =>
      (await service.body('CreateLoyaltyTier', { loyalty_tier }, as)).loyalty_tier,
    reward: async (changes: object = {}, as = staff): Promise<Json> => {
      const loyalty_reward = { name: 'Five off', reward_type: 'discount', points_required: 100, discount_amount: 5, ...changes };
      return (await service.body('CreateLoyaltyReward', { loyalty_reward }, as)).loyalty_reward;
    },
    credit: (id: number | string, store_credit: object, as = staff): Promise<Json> =>
      service.body('MoveStoreCredit', { store_credit }, as, { id }),
    loyalty: async (id: number | string, as = key): Promise<Json> => (await service.byId('GetCustomerLoyalty', id, as)).loyalty,
    /** Dead letters of the store. */
    letters: () => service.run<Json>("select error from customers.dead_letters where (message->>'storeId')::bigint = $1", [storeId]),
  });
}

/** Started before the first test of the file. */
export let customers: CustomersUnderTest;

/** The store of the running test, a key of it and its manager. */
export let storeId = 0;
export let key: Caller;
export let staff: Caller;

/** Starts customers before the tests of the file, stops it after them, and gives each test a new store, with `features` one that is known. */
export function shareCustomers(features?: string[]): void {
  beforeAll(async () => {
    customers = await startCustomers();
  });
  afterAll(() => customers.stop());
  beforeEach(async () => {
    newStore();
    customers.clock.set('2026-11-20T12:00:00.000Z');
    if (features) await customers.publish(storeMessage(storeId, features));
  });
}

/** Goes on with another store. */
export function newStore(): void {
  storeId += 1;
  key = keyOf(storeId);
  staff = staffOf(storeId);
}

/** Whatever customers exist, another one. */
export const newCustomer = async (as = staff): Promise<number> =>
  (await customers.create({ name: 'Maya Lee' }, as, { force_create: true })).id;

/** Store credit. */
export const issue = (id: number, amount: number | string): Promise<Json> => customers.credit(id, { amount, transaction_type: 'issue' });
