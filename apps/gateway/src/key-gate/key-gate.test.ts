/** One suite for every key gate: its guarantees do not depend on where it keeps its counts. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { describeWithRedis } from '@store/testbed';
import { createClient } from 'redis';
import type { KeyRecord } from '../keys/key-record.ts';
import type { ClusterKeyGate } from './cluster-key-gate.ts';
import { type Admission, type KeyGate, type Timings, timings } from './key-gate.ts';
import { type Bench, inProcess, keyRecord, newHash, type OpenBench, redis, redisWithFallback, request } from './key-gates.testing.ts';
import { rateLimitOf } from './rate-limit.ts';
import { describeWithCluster, type RunningCluster, redisCluster, startCluster } from './redis-cluster.testing.ts';
import { keysOf } from './redis-scripts.ts';

const clusterStartMs = 120_000;

function byWindow(admissions: Admission[], record: KeyRecord, windowMs: number) {
  const windows = new Map<number, { admitted: number; requested: number }>();
  for (const admission of admissions) {
    const start = admission.nowMs - (admission.nowMs % windowMs);
    const window = windows.get(start) ?? { admitted: 0, requested: 0 };
    window.requested += 1;
    if (rateLimitOf(admission, record).admitted) window.admitted += 1;
    windows.set(start, window);
  }
  return [...windows.values()];
}

/** The guarantees of every key gate; `hasShortMinutes`: with those that take minutes of milliseconds. */
function promises(open: OpenBench, hasShortMinutes = true): void {
  let bench: Bench;
  let keyGate: KeyGate;
  let other: KeyGate;
  let hash: string;

  const use = async (times?: Timings) => {
    bench = await open(times);
    [keyGate, other] = bench.keyGates as [KeyGate, KeyGate];
  };
  const reopen = async (times: Partial<Timings>) => {
    await bench.stop();
    await use({ ...timings, ...times });
  };

  beforeEach(async () => {
    hash = newHash();
    await use();
  });
  afterEach(() => bench.stop());

  test.each([7, 60, 1000])('admits exactly %i requests a minute over four gateways with 400 at a time', async (limit) => {
    const record = keyRecord(limit);
    await keyGate.complete(hash);
    const admissions: Admission[] = [];
    for (let round = 0; round < (limit === 1000 ? 3 : 1); round += 1) {
      const requests = Array.from({ length: 400 }, (_, index) => request(bench.keyGates[index % 4]!, hash, record));
      admissions.push(...(await Promise.all(requests)));
    }
    for (const window of byWindow(admissions, record, timings.windowMs)) {
      expect(window.admitted).toBe(Math.min(limit, window.requested));
    }
  });

  test('every request of a window gets a count of its own, refused ones included (D10)', async () => {
    const record = keyRecord(5);
    const admissions = await Promise.all(Array.from({ length: 100 }, (_, index) => request(bench.keyGates[index % 4]!, hash, record)));
    const counts = new Set(admissions.map((admission) => `${Math.floor(admission.nowMs / timings.windowMs)} ${admission.count}`));
    expect(counts.size).toBe(100);
  });

  test('60 applies until the key has completed a request, its own limit after that (D13)', async () => {
    const large = keyRecord(100);
    const cold = await Promise.all(Array.from({ length: 70 }, () => request(keyGate, hash, large)));
    for (const window of byWindow(cold, large, timings.windowMs)) expect(window.admitted).toBe(Math.min(60, window.requested));
    await other.complete(hash);
    const warm = await request(keyGate, hash, large);
    expect(warm.completedLately).toBe(true);
    expect(rateLimitOf(warm, large)).toMatchObject({ limit: 100, admitted: true });
  });

  test('a key with a limit below 60 is held to it only after its first completion (D13)', async () => {
    const small = keyRecord(10);
    const cold = await Promise.all(Array.from({ length: 61 }, () => request(keyGate, hash, small)));
    for (const window of byWindow(cold, small, timings.windowMs)) expect(window.admitted).toBe(Math.min(60, window.requested));
    await keyGate.complete(hash);
    expect(rateLimitOf(await request(keyGate, hash, small), small).limit).toBe(10);
  });

  test('a flood of one key does not affect another', async () => {
    const victim = newHash();
    const record = keyRecord(60);
    await Promise.all(Array.from({ length: 300 }, () => request(keyGate, hash, record)));
    expect(await request(other, victim, record)).toMatchObject({ count: 1 });
  });

  test('a revocation wins over the record, from the moment it resolves, on every gateway', async () => {
    const record = keyRecord(60);
    await request(keyGate, hash, record);
    await other.revoke(hash);
    for (const each of bench.keyGates) expect(await each.admit(hash)).toMatchObject({ revoked: true, record: undefined, count: 0 });
  });

  test('a revocation wins over a read in progress', async () => {
    const { version } = await keyGate.admit(hash);
    await other.revoke(hash);
    expect(await keyGate.remember(hash, keyRecord(60), version)).toMatchObject({ revoked: true, record: undefined });
    expect((await keyGate.admit(hash)).revoked).toBe(true);
  });

  test('a revocation that is withdrawn leaves the key unchanged', async () => {
    await request(keyGate, hash, keyRecord(60));
    await keyGate.revoke(hash);
    await keyGate.unrevoke(hash);
    expect(await request(other, hash, keyRecord(60))).toMatchObject({ revoked: false, record: keyRecord(60) });
  });

  test('what the database calls revoked is revoked, also in a Redis that lost its data', async () => {
    const { version } = await keyGate.admit(hash);
    expect((await keyGate.remember(hash, { ...keyRecord(60), revoked: true }, version)).revoked).toBe(true);
    expect((await other.admit(hash)).revoked).toBe(true);
  });

  test('a slow read cannot restore a record forgotten meanwhile, and still counts', async () => {
    const { version } = await keyGate.admit(hash);
    await other.forget([hash]);
    expect(await keyGate.remember(hash, keyRecord(60), version)).toMatchObject({ record: undefined, revoked: false, count: 1 });
    expect((await keyGate.admit(hash)).record).toBeUndefined();
  });

  test('a slow read cannot replace the record of a later read', async () => {
    const slow = await keyGate.admit(hash);
    await other.forget([hash]);
    await request(other, hash, keyRecord(99));
    await keyGate.remember(hash, keyRecord(1), slow.version);
    expect((await keyGate.admit(hash)).record?.rateLimit).toBe(99);
  });

  test('forgetting drops the record of each key on every gateway and keeps the counts', async () => {
    const second = newHash();
    const record = keyRecord(60);
    const before = await request(keyGate, hash, record);
    await request(keyGate, second, record);
    await other.forget([hash, second]);
    expect((await keyGate.admit(second)).record).toBeUndefined();
    const after = await request(keyGate, hash, record);
    if (!edgeBetween(before, after, timings.windowMs)) expect(after.count).toBe(2);
  });

  if (hasShortMinutes) {
    test("a burst over a window's edge admits at most twice the limit, then begins at one", async () => {
      const windowMs = 200;
      await reopen({ windowMs });
      const record = keyRecord(5);
      await keyGate.complete(hash);
      const admissions: Admission[] = [];
      const first = await request(keyGate, hash, record);
      for (const edge of [0, 1]) {
        await bench.pass(windowMs - (first.nowMs % windowMs) + edge * windowMs - 20);
        for (let step = 0; step < 20; step += 1) {
          admissions.push(await request(bench.keyGates[step % 4]!, hash, record));
          await bench.pass(2);
        }
      }
      const windows = byWindow(admissions, record, windowMs);
      expect(windows.length).toBeGreaterThanOrEqual(2);
      for (const window of windows) expect(window.admitted).toBeLessThanOrEqual(5);
      const starts = admissions.filter((one, at) => at > 0 && edgeBetween(admissions[at - 1]!, one, windowMs));
      expect(starts.length).toBeGreaterThan(0);
      for (const start of starts) expect(start.count).toBe(1);
    });

    test('the completion counts for five minutes and is rewritten only when it is old', async () => {
      await reopen({ completedLatelyMs: 300, markFreshMs: 100 });
      const record = keyRecord(100);
      expect(await request(keyGate, hash, record)).toMatchObject({ completedLately: false, markStale: true });
      await keyGate.complete(hash);
      expect(await request(other, hash, record)).toMatchObject({ completedLately: true, markStale: false });
      await bench.pass(150);
      expect(await request(other, hash, record)).toMatchObject({ completedLately: true, markStale: true });
      await bench.pass(200);
      expect(await request(other, hash, record)).toMatchObject({ completedLately: false, markStale: true });
    });

    test('a record is remembered unchanged, by every gateway, until it expires', async () => {
      await reopen({ recordKeptMs: 150 });
      const record = keyRecord(100);
      expect((await keyGate.admit(hash)).record).toBeUndefined();
      await request(keyGate, hash, record);
      expect((await other.admit(hash)).record).toEqual(record);
      await bench.pass(200);
      expect(await other.admit(hash)).toMatchObject({ record: undefined, count: 0 });
    });
  }
}

function edgeBetween(before: Admission, after: Admission, windowMs: number): boolean {
  return Math.floor(before.nowMs / windowMs) !== Math.floor(after.nowMs / windowMs);
}

describe('the key gate in this process', () => promises(inProcess));
describeWithRedis('the keyGate in Redis', (url) => {
  promises(redis(url));

  const client = createClient({ url });
  let bench: Bench;
  let keyGate: KeyGate;
  beforeAll(async () => {
    await client.connect();
    bench = await redis(url)();
    keyGate = bench.keyGates[0]!;
  });
  afterAll(async () => {
    client.destroy();
    await bench.stop();
  });

  test('in Redis only tombstones have no expiry', async () => {
    const [used, missed, revoked] = [newHash(), newHash(), newHash()];
    await request(keyGate, used, keyRecord(60));
    await keyGate.complete(used);
    await keyGate.admit(missed);
    await request(keyGate, revoked, keyRecord(60));
    await keyGate.revoke(revoked);
    const forEver: string[] = [];
    for (const hash of [used, missed, revoked]) {
      for await (const keys of client.scanIterator({ MATCH: `*{${hash}}*` })) {
        for (const key of keys) if ((await client.pTTL(key)) === -1) forEver.push(key);
      }
    }
    expect(forEver).toEqual([keysOf(revoked)[0]]);
  });

  test('a key that may not be read leaves nothing in Redis; a remembered one is admitted', async () => {
    const [unknown, used] = [newHash(), newHash()];
    expect(await keyGate.admit(unknown, false)).toMatchObject({ record: undefined, revoked: false, count: 0 });
    expect(await client.exists(keysOf(unknown))).toBe(0);
    await request(keyGate, used, keyRecord(60));
    expect(await keyGate.admit(used, false)).toMatchObject({ record: keyRecord(60), count: 2 });
    // A record read without a lease is not remembered.
    const { version } = await keyGate.admit(unknown, false);
    expect((await keyGate.remember(unknown, keyRecord(60), version)).record).toBeUndefined();
  });

  test('a request makes no timer of the client beside its own', async () => {
    const timeouts = jest.spyOn(AbortSignal, 'timeout');
    const hash = newHash();
    await request(keyGate, hash, keyRecord(60));
    await keyGate.complete(hash);
    expect(timeouts).not.toHaveBeenCalled();
    timeouts.mockRestore();
  });
});
describeWithRedis('the keyGate in Redis, with its fallback', (url) => promises(redisWithFallback(url)));
describeWithCluster('the key gate in a Redis Cluster of three masters', () => {
  let cluster: RunningCluster;
  beforeAll(async () => {
    cluster = await startCluster({ masters: 3 });
  }, clusterStartMs);
  afterAll(() => cluster?.close());

  // Time passes in its scripts, which are those of one Redis.
  promises(
    redisCluster(() => cluster),
    false,
  );

  test('every key is on a master; forgetting keys of all masters asks each for its own', async () => {
    const bench = await redisCluster(() => cluster)();
    const [keyGate, other] = bench.keyGates as [ClusterKeyGate, KeyGate];
    try {
      const hashes = Array.from({ length: 60 }, newHash);
      for (const hash of hashes) await request(keyGate, hash, keyRecord(60));
      await other.forget(hashes);
      for (const hash of hashes) expect((await keyGate.admit(hash)).record).toBeUndefined();
      expect(keyGate.counts).toMatchObject({ failures: 0, fallbacks: 0 });
    } finally {
      await bench.stop();
    }
  });
});
