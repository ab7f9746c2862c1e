import { expect, test } from '@jest/globals';
import { SetClock } from '@store/db';
import { keyRecord, newHash } from './gates.testing.ts';
import { InProcessGate } from './in-process.ts';

test('keys that are no longer used are dropped from memory, tombstones are not', async () => {
  const clock = new SetClock('2026-11-20T12:00:10Z');
  const gate = new InProcessGate(clock);
  const buried = newHash();
  await gate.bury(buried);
  for (let key = 0; key < 1_000; key += 1) {
    const hash = newHash();
    const { version } = await gate.admit(hash);
    await gate.remember(hash, keyRecord(60), version);
    await gate.complete(hash);
  }
  expect(gate.size).toBe(1_000);
  clock.advance(6 * 60_000);
  expect((await gate.admit(buried)).revoked).toBe(true);
  expect(gate.size).toBe(0);
});

test('keys that nobody knows take no memory', async () => {
  const gate = new InProcessGate(new SetClock('2026-11-20T12:00:10Z'));
  for (let key = 0; key < 1_000; key += 1) await gate.admit(newHash());
  expect(gate.size).toBe(0);
});
