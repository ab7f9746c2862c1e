/**
 * A kafkajs 2.2.4 consumer that is stopped while the set of brokers changes begins to fetch anew behind the stop's back, and
 * every such fetch answers "nothing, as I am stopped" at once: the loop never waits for anything, so no timer, signal or
 * socket of the process gets a turn again. What fetches for a stopped consumer is stopped here. Applied once, before the
 * first client.
 */
import { createRequire } from 'node:module';

interface Runner {
  running: boolean;
  fetchManager: { stop(): Promise<void> };
  fetch(nodeId: string): Promise<unknown[]>;
}

const require = createRequire(import.meta.url);
const fixed = Symbol.for('store.kafkajs.stop-fix');

export function fixKafkaStop(): void {
  const runner = (require('kafkajs/src/consumer/runner') as { prototype: Runner & { [fixed]?: true } }).prototype;
  if (runner[fixed]) return;
  const original = runner.fetch;
  runner.fetch = async function fetch(this: Runner, nodeId: string) {
    // It says so to every fetcher before it waits for their ends, one of which is our caller's.
    if (!this.running) void this.fetchManager.stop();
    return original.call(this, nodeId);
  };
  runner[fixed] = true;
}
