import type { Caller } from '@store/rpc';
import { testCaller } from './caller.ts';

/** A manager of store 1, unless a test says otherwise. */
export function testStaff(changes: Parameters<typeof testCaller>[0] = {}): Caller {
  const manager = { type: 'user', keyId: 0, keyName: '', userId: 7, userName: 'Max Manager', role: 'manager' } as const;
  return testCaller({ ...changes, actor: { ...manager, ...changes.actor } });
}
