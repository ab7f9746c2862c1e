/** What patches/ changes in kafkajs: each test fails on the package as it is published. */
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { expect, jest, test } from '@jest/globals';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';

const require = createRequire(import.meta.url);

interface Runner {
  start(): Promise<void>;
  stop(): Promise<void>;
  fetch(nodeId: string): Promise<unknown[]>;
}
const RunnerOfKafka = require('kafkajs/src/consumer/runner.js') as { new (options: object): Runner; prototype: Runner };

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

interface Member {
  heartbeat(every: { interval: number }): Promise<void>;
}
const MemberOfKafka = require('kafkajs/src/consumer/consumerGroup.js') as { new (options: object): Member };

test('a member whose clock was ahead and is set back goes on with its heartbeats', async () => {
  const member = new MemberOfKafka({ logger, instrumentationEmitter: new EventEmitter(), topics: [], cluster: {}, groupId: 'catalog' });
  let beats = 0;
  const coordinator = {
    heartbeat: async () => {
      beats += 1;
    },
  };
  Object.assign(member, { memberId: 'one', coordinator });
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 300_000);
  try {
    await member.heartbeat({ interval: 0 });
  } finally {
    clock.mockRestore();
  }
  await member.heartbeat({ interval: 0 });
  expect(beats).toBe(2);
});

test('an idle queue schedules no timer, a queue with requests does', () => {
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

test('a fetch hands on batches with messages or an offset that must move', async () => {
  const batch = (isEmpty: boolean, isFiltered: boolean) => ({ isEmpty: () => isEmpty, isEmptyDueToFiltering: () => isFiltered });
  const [empty, full, filtered] = [batch(true, false), batch(false, false), batch(true, true)];
  const runner = {
    running: true,
    instrumentationEmitter: new EventEmitter(),
    consumerGroup: { fetch: async () => [empty, full, filtered] },
  };
  expect(await RunnerOfKafka.prototype.fetch.call(runner, '1')).toEqual([full, filtered]);
});

const bytes = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 20_000 }).map((array) => Buffer.from(array)),
);
const name = fc.string({ maxLength: 10 }).filter((text) => !(text in {}));
const record = fc.record({
  offsetDelta: fc.nat(1_000_000),
  timestampDelta: fc.integer({ min: -5, max: 1_000_000 }),
  key: fc.option(bytes),
  value: fc.option(bytes),
  headers: fc
    .array(fc.tuple(name, fc.oneof(bytes, fc.array(bytes, { minLength: 2, maxLength: 3 }))), { maxLength: 12 })
    .map((entries) => Object.fromEntries(entries)),
});

test('a record of any content is read back as it was written', async () => {
  const folder = 'kafkajs/src/protocol';
  const encode = require(`${folder}/recordBatch/record/v0`) as (written: object) => { buffer: Buffer };
  const decode = require(`${folder}/recordBatch/record/v0/decoder`) as (decoder: object, batch: object) => object;
  const Decoder = require(`${folder}/decoder`) as new (buffer: Buffer) => { readVarIntBytes(): Buffer };
  const readBack = async ({ offsetDelta, timestampDelta, ...content }: { offsetDelta: number; timestampDelta: number }) => {
    const body = new Decoder(encode({ offsetDelta, timestampDelta, ...content }).buffer).readVarIntBytes();
    const read = decode(new Decoder(body), { firstOffset: 0, firstTimestamp: 0 });
    expect(read).toMatchObject({ ...content, offset: String(offsetDelta), timestamp: String(timestampDelta) });
  };
  await holds(fc.asyncProperty(record, readBack), { numRuns: 200 });
});
