/** A lease is of the Redis that gave it, whatever the clock of the next one says (P19). */
import { expect, test } from '@jest/globals';
import { keyRecord, newHash, redisOptions } from './key-gates.testing.ts';
import { RedisGate } from './redis.ts';
import type { RedisConnection } from './redis-client.ts';
import { noLease } from './redis-scripts.ts';

/** A Redis that gives one lease, of its time, and loses its scripts on demand. */
function redisAt(seconds: number) {
  const state = { seconds, isNew: true, leases: [] as unknown[] };
  const connection: RedisConnection = {
    evalSha: async (_sha, { arguments: values }) => {
      if (state.isNew) throw new Error('NOSCRIPT No matching script');
      if (values.length > 2) state.leases.push(values[1]);
      return [0, null, `${state.seconds}000500`, 0, -2, state.seconds * 1_000];
    },
    time: async () => [String(state.seconds), '0'],
    scriptLoad: async () => {
      state.isNew = false;
    },
    set: async () => undefined,
    del: async () => undefined,
    connect: async () => undefined,
    destroy: () => undefined,
  };
  return { state, connection };
}

test("a record read under an old master's lease is not stored on a new one behind it", async () => {
  const { state, connection } = redisAt(1_000);
  const gate = new RedisGate(redisOptions({ url: '' }), () => connection);
  const [hash, other] = [newHash(), newHash()];
  const { version } = await gate.admit(hash);
  Object.assign(state, { seconds: 990, isNew: true });
  await gate.admit(other);
  await gate.remember(hash, keyRecord(60), version);
  expect(state.leases).toEqual([noLease]);
  Object.assign(state, { seconds: 1_001 });
  await gate.remember(hash, keyRecord(60), (await gate.admit(hash)).version);
  expect(state.leases).toEqual([noLease, '1001000500']);
});
