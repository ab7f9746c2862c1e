/** Callers for tests: a key of store 1 with every scope, unless a test says otherwise. */
import { scopes } from '@store/contract';
import { type Caller, noTax } from '@store/rpc';

export function testCaller(changes: Partial<Omit<Caller, 'actor'>> & { actor?: Partial<Caller['actor']> } = {}): Caller {
  return {
    storeId: 1,
    requestId: 'test-request',
    timeZone: 'Europe/London',
    country: '',
    currency: '£',
    locale: 'en',
    features: new Set(['loyalty', 'customers']),
    scopes: new Set(scopes),
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
