/** Callers for tests: a key of store 1 with every scope, unless a test says otherwise. */
import { type Caller, noTax } from '@store/rpc';

/** Scopes of the specification that a key of this API can hold. */
const everyScope = [
  'products:read',
  'products:write',
  'costs:read',
  'customers:read',
  'customers:write',
  'sales:read',
  'inventory:read',
  'inventory:write',
  'purchasing:read',
  'gift_cards:read',
  'store_credits:read',
  'loyalty:read',
];

export function testCaller(changes: Partial<Omit<Caller, 'actor'>> & { actor?: Partial<Caller['actor']> } = {}): Caller {
  return {
    storeId: 1,
    requestId: 'test-request',
    timeZone: 'Europe/London',
    country: '',
    currency: '£',
    locale: 'en',
    features: new Set(['loyalty', 'customers']),
    scopes: new Set(everyScope),
    tax: noTax,
    ip: '203.0.113.7',
    ...changes,
    actor: {
      type: 'key',
      keyId: 12,
      keyName: 'Till sync',
      keyExpiresAtMs: 0,
      userId: 3,
      userName: 'Ada Admin',
      role: '',
      ...changes.actor,
    },
  };
}
