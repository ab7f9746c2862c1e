/**
 * A kafkajs 2.2.4 consumer that is stopped while the set of brokers changes starts new fetchers during the stop. Each of
 * their fetches resolves at once with nothing, because the consumer is stopped, so the loop never yields and no timer,
 * signal or socket of the process is served any more. This patch stops fetchers of a stopped consumer. Applied once,
 * before the first client.
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
    // It tells every fetcher to stop before it waits for them; one of them is this function's caller.
    if (!this.running) void this.fetchManager.stop();
    return original.call(this, nodeId);
  };
  runner[fixed] = true;
}
