/** kafkajs's own consumer loop against simulated brokers. */
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { fixKafkaStop } from '../src/kafka-stop-fix.ts';

const require = createRequire(import.meta.url);

interface Runner {
  start(): Promise<void>;
  stop(): Promise<void>;
}
const RunnerOfKafka = require('kafkajs/src/consumer/runner.js') as new (options: object) => Runner;

/** More metadata requests than any stop needs; a loop that never yields would otherwise block this test forever. */
const looksMax = 100;
const logger = { namespace: () => logger, debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Two brokers that answer a fetch when the test says so. */
function playedGroup() {
  const answers = new Map<string, () => void>();
  const group = {
    brokers: ['1', '2'],
    looks: 0,
    answer: (broker: string) => answers.get(broker)!(),
    getNodeIds: () => {
      group.looks += 1;
      if (group.looks > looksMax) throw new Error('it turns for ever');
      return group.brokers;
    },
    fetch: (broker: string) => new Promise((resolve) => answers.set(broker, () => resolve([]))),
    connect: async () => undefined,
    joinAndSync: async () => undefined,
    heartbeat: async () => undefined,
    leave: async () => undefined,
  };
  return group;
}

test('a consumer that is stopped while a broker comes or goes ends, and its loop stops', async () => {
  fixKafkaStop();
  const group = playedGroup();
  const crashes: Error[] = [];
  const runner = new RunnerOfKafka({
    logger,
    consumerGroup: group,
    instrumentationEmitter: new EventEmitter(),
    heartbeatInterval: 3_000,
    concurrency: 1,
    eachBatch: async () => undefined,
    onCrash: (error: Error) => void crashes.push(error),
  });
  await runner.start();
  await turn();
  group.brokers = ['1'];
  // The fetcher of 1 sees that 2 is gone and restarts, once the fetch from 2 has ended.
  group.answer('1');
  await turn();
  const stopped = runner.stop();
  group.answer('2');
  await stopped;
  expect(group.looks).toBeLessThan(looksMax);
  expect(crashes).toEqual([]);
});
