/** Sales behind its real door over a real database; customers and catalog are fakes. */
import { randomUUID } from 'node:crypto';
import type { CustomerFact, Message } from '@store/events';
import type { Caller } from '@store/rpc';
import { type Json, ServiceUnderTest, testCaller } from '@store/testbed';
import { sales } from '../src/main.ts';
import { receiptNumbers } from '../src/receipt-numbers/receipt-numbers.ts';
import type { Sales } from '../src/sales.ts';

/** A key of the store; `staffOf` is a member of its staff. */
export function keyOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  return testCaller({ storeId, ...changes });
}

export function staffOf(storeId: number, changes: Parameters<typeof testCaller>[0] = {}): Caller {
  const actor = { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Cleo Clerk', role: 'manager' } as const;
  return keyOf(storeId, { actor, ...changes });
}

const notAsked = () => Promise.reject(new Error('the test does not expect this call'));

export type SalesUnderTest = Awaited<ReturnType<typeof startSales>>;

export async function startSales(fakes: Partial<Pick<Sales, 'catalog' | 'customers'>> = {}, now?: string) {
  const unused = new Proxy({}, { get: () => notAsked });
  const service = await ServiceUnderTest.start(sales, {
    ...(now !== undefined && { now }),
    open: ({ db, outbox, log }) => ({
      db,
      outbox,
      log,
      receiptNumbers: receiptNumbers(db),
      catalog: unused as Sales['catalog'],
      customers: unused as Sales['customers'],
      ...fakes,
    }),
  });
  let stores = 0;
  return Object.assign(service, {
    /** An id of a store that no other test of the file uses. */
    newStore: () => ++stores,
    giftCard: async (card: object, caller: Caller): Promise<Json> =>
      (await service.body('CreateGiftCard', { gift_card: card }, caller)).gift_card,
    lookup: async (number: string, caller: Caller): Promise<Json> =>
      (await service.call('LookupGiftCard', { card_number: number }, caller)).json.gift_card,
  });
}

/** An event of customers about one of them. */
export function customerMessage(storeId: number, customer: Partial<CustomerFact> & { id: number }, version = 1): Message {
  return {
    id: randomUUID(),
    topic: 'customers.events',
    storeId,
    name: 'customer.updated',
    aggregate: `customer:${customer.id}`,
    public: null,
    internal: { customer: { name: 'Maya Lee', customer_code: 'C10001', email: null, phone: null, archived: false, ...customer } },
    actor: { type: 'system', key: null, user: null },
    requestId: 'r',
    createdAt: '2026-11-20T12:00:00.000Z',
    version,
  };
}
