import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

const listeners = new Map<string, () => void>();
beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { window: { addEventListener: (kind: string, listener: () => void) => listeners.set(kind, listener) } });
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'window');
});

test('a page is in use for a minute after it is opened or touched, not after a refresh', async () => {
  // Its own copy: another file of this process may have loaded the module with a window of its own.
  const own = './activity.ts?own';
  const { isInUse } = (await import(own)) as typeof import('./activity.ts');
  expect(isInUse()).toBe(true);
  jest.advanceTimersByTime(60_000);
  expect(isInUse()).toBe(false);
  listeners.get('keydown')!();
  expect(isInUse()).toBe(true);
});
