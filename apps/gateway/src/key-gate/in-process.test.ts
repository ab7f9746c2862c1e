import { expect, test } from '@jest/globals';
import { SetClock } from '@store/testbed';
import { keyRecord, localGate, newHash } from './key-gates.testing.ts';

test('keys that are no longer used are dropped from memory, tombstones are not', async () => {
  const clock = new SetClock('2026-11-20T12:00:10Z');
  const keyGate = localGate(undefined, clock);
  const revoked = newHash();
  await keyGate.revoke(revoked);
  for (let key = 0; key < 1_000; key += 1) {
    const hash = newHash();
    const { version } = await keyGate.admit(hash);
    await keyGate.remember(hash, keyRecord(60), version);
    await keyGate.complete(hash);
  }
  expect(keyGate.size).toBe(1_000);
  clock.advance(6 * 60_000);
  expect((await keyGate.admit(revoked)).revoked).toBe(true);
  expect(keyGate.size).toBe(0);
});

test('unknown keys take no memory', async () => {
  const keyGate = localGate();
  for (let key = 0; key < 1_000; key += 1) await keyGate.admit(newHash());
  expect(keyGate.size).toBe(0);
});
