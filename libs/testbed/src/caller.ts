/** Callers for tests. */
import { scopes } from '@store/contract';
import { type Caller, noTax } from '@store/rpc';

/** A key of store 1 with every scope, unless a test says otherwise. */
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

/** A manager of store 1, unless a test says otherwise. */
export function testStaff(changes: Parameters<typeof testCaller>[0] = {}): Caller {
  const manager = { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'manager' } as const;
  return testCaller({ ...changes, actor: { ...manager, ...changes.actor } });
}
