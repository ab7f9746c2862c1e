import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { fixedVersion, fixKafkaTimers } from '../src/kafka-timer-fix.ts';

const require = createRequire(import.meta.url);

test('the timer fix matches the installed kafkajs, and finds the code it replaces', () => {
  expect((require('kafkajs/package.json') as { version: string }).version).toBe(fixedVersion);
  const queue = (require('kafkajs/src/network/requestQueue') as { prototype: { scheduleCheckPendingRequests: () => void } }).prototype;
  expect(typeof queue.scheduleCheckPendingRequests).toBe('function');
});

test('an idle queue schedules no timer, a queue with requests does', () => {
  fixKafkaTimers();
  const queue = (require('kafkajs/src/network/requestQueue') as { prototype: { scheduleCheckPendingRequests: () => void } }).prototype;
  const scheduled = (pending: unknown[], throttledUntil: number) => {
    const fake = { pending, throttledUntil, throttleCheckTimeoutId: null as unknown, checkPendingRequests: () => undefined };
    queue.scheduleCheckPendingRequests.call(fake);
    clearTimeout(fake.throttleCheckTimeoutId as NodeJS.Timeout);
    return fake.throttleCheckTimeoutId !== null;
  };
  expect(scheduled([], -1)).toBe(false);
  expect(scheduled([{}], -1)).toBe(true);
  expect(scheduled([], Date.now() + 1_000)).toBe(true);
});
