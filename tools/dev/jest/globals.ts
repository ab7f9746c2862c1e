/**
 * `@jest/globals` for tests that share their worker's realm: the functions of the file that runs now. Modules that several files
 * share see each file's, as these bindings change.
 */
import type { ModernFakeTimers } from '@jest/fake-timers';
import type * as Jest from '@jest/globals';

/** Of jest's object, what the tests use; the types of mocks stay jest's. */
type Mocks = { spyOn: typeof Jest.jest.spyOn } & {
  restoreAllMocks(): void;
  useFakeTimers(options?: Parameters<ModernFakeTimers['useFakeTimers']>[0]): void;
  useRealTimers(): void;
  advanceTimersByTime(ms: number): void;
};
type Names = 'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'test';
export type Globals = Pick<typeof Jest, Names> & { jest: Mocks };

export let { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = {} as Globals;

export function setGlobals(globals: Globals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } = globals);
}
