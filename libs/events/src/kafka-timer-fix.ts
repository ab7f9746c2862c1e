/**
 * kafkajs 2.2.4 reschedules a 1 ms timer endlessly on every idle connection (tulios/kafkajs#1556,
 * #1704, #1751): about 4 % of a core at seven connections, and a warning on Node 24. Its queue needs the
 * timer only while requests wait or the broker throttles. Applied once, before the first client.
 */
import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  scheduleCheckPendingRequests(): void;
}

const require = createRequire(import.meta.url);
const fixed = Symbol.for('store.kafkajs.timer-fix');

/** The version whose internals this patches; a test fails when kafkajs has another one. */
export const fixedVersion = '2.2.4';

export function fixKafkaTimers(): void {
  const queue = (require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue & { [fixed]?: true } }).prototype;
  if (queue[fixed]) return;
  const original = queue.scheduleCheckPendingRequests;
  if (typeof original !== 'function')
    throw new Error(`kafkajs is not ${fixedVersion}: its request queue has no scheduleCheckPendingRequests`);
  queue.scheduleCheckPendingRequests = function scheduleCheckPendingRequests(this: RequestQueue) {
    if (this.pending.length === 0 && this.throttledUntil <= Date.now()) return;
    original.call(this);
  };
  queue[fixed] = true;
}
