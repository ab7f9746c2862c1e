/**
 * kafkajs 2.2.4 takes a batch through its workers, with a heartbeat each, for every partition that a fetch asked for, although
 * most have nothing: 36 to 42 of them where an app consumes every topic. This patch drops the empty ones. Applied once,
 * before the first client.
 */
import { createRequire } from 'node:module';

interface Batch {
  isEmpty(): boolean;
  /** Had messages that are not shown; its offset must move on. */
  isEmptyDueToFiltering(): boolean;
}

interface Group {
  fetch(nodeId: string): Promise<Batch[]>;
}

const require = createRequire(import.meta.url);
const fixed = Symbol.for('store.kafkajs.empty-fix');

export function fixKafkaEmptyBatches(): void {
  const group = (require('kafkajs/src/consumer/consumerGroup') as { prototype: Group & { [fixed]?: true } }).prototype;
  if (group[fixed]) return;
  const original = group.fetch;
  group.fetch = async function fetch(this: Group, nodeId: string) {
    // Without any, its runner sends the one heartbeat.
    return (await original.call(this, nodeId)).filter((batch) => !batch.isEmpty() || batch.isEmptyDueToFiltering());
  };
  group[fixed] = true;
}
