import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { holds } from '@store/testbed/holds';
import fc from 'fast-check';
import { type EncodeRecord, type NewRecord, recordEncoder } from '../src/kafka-records-fix.ts';

const require = createRequire(import.meta.url);
const encode = require('kafkajs/src/protocol/recordBatch/record/v0') as EncodeRecord;

const bytes = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 20_000 }).map((array) => Buffer.from(array)),
);
const name = fc.oneof(fc.string({ maxLength: 10 }), fc.constantFrom('__proto__', 'toString', 'id'));
const record: fc.Arbitrary<NewRecord> = fc.record({
  offsetDelta: fc.oneof(fc.nat(200), fc.nat()),
  timestampDelta: fc.oneof(fc.constant(0), fc.integer({ min: -5, max: 1_000_000 })),
  key: fc.oneof(bytes, fc.constant(null)),
  value: fc.oneof(bytes, fc.constant(null)),
  headers: fc
    .array(fc.tuple(name, fc.oneof(bytes, fc.array(fc.string(), { maxLength: 3 }))), { maxLength: 12 })
    .map((entries) => Object.fromEntries(entries)),
});

test('a record has the bytes that kafkajs writes', async () => {
  const ours = recordEncoder(encode);
  const same = async (one: NewRecord) => expect(ours(one).buffer.toString('hex')).toBe(encode(one).buffer.toString('hex'));
  await holds(fc.asyncProperty(record, same), { numRuns: 200 });
});

test('a producer writes its records with it', () => {
  // A process of its own, as a test's require has a cache that cannot be changed.
  const script = `
    import { createRequire } from 'node:module';
    import { fixKafkaRecords } from '../src/kafka-records-fix.ts';
    const require = createRequire(process.cwd() + '/');
    const fixed = () => Object.getOwnPropertySymbols(require('kafkajs/src/protocol/recordBatch/record/v0')).map(String);
    require('kafkajs');
    const loaded = Object.keys(require.cache).some((file) => file.includes('/recordBatch/'));
    fixKafkaRecords();
    console.log(loaded, fixed().join());`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  expect([stdout.trim(), stderr]).toEqual(['false Symbol(store.kafkajs.records-fix)', '']);
});
