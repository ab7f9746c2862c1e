/** One suite for every gate: what it promises does not depend on where it keeps its counts. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeWithRedis } from '@store/testbed';
import { createClient } from 'redis';
import type { KeyRecord } from '../keys/key-record.ts';
import { type Admission, type Gate, type Timings, timings } from './gate.ts';
import {
  type Bench,
  freePort,
  inProcess,
  keyRecord,
  newHash,
  type OpenBench,
  redis,
  redisWithFallback,
  startRedis,
} from './gates.testing.ts';
import { judge } from './rate-limit.ts';
import { keysOf } from './redis-scripts.ts';

/** A request as the pipeline makes it: remembered, or read from the database and then remembered. */
async function request(gate: Gate, hash: string, record: KeyRecord): Promise<Admission> {
  const admission = await gate.admit(hash);
  return admission.revoked || admission.record ? admission : gate.remember(hash, record, admission.version);
}

/** Admitted and made requests of each window, by the window's start. */
function byWindow(admissions: Admission[], record: KeyRecord, windowMs: number) {
  const windows = new Map<number, { admitted: number; made: number }>();
  for (const admission of admissions) {
    const start = admission.nowMs - (admission.nowMs % windowMs);
    const window = windows.get(start) ?? { admitted: 0, made: 0 };
    window.made += 1;
    if (judge(admission, record).admitted) window.admitted += 1;
    windows.set(start, window);
  }
  return [...windows.values()];
}

/** What every gate promises. */
function promises(open: OpenBench): void {
  let bench: Bench;
  let gate: Gate;
  let other: Gate;
  let hash: string;

  const use = async (times?: Timings) => {
    bench = await open(times);
    [gate, other] = bench.gates as [Gate, Gate];
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
    await gate.complete(hash);
    const admissions: Admission[] = [];
    for (let round = 0; round < (limit === 1000 ? 3 : 1); round += 1) {
      const requests = Array.from({ length: 400 }, (_, index) => request(bench.gates[index % 4]!, hash, record));
      admissions.push(...(await Promise.all(requests)));
    }
    for (const window of byWindow(admissions, record, timings.windowMs)) {
      expect(window.admitted).toBe(Math.min(limit, window.made));
    }
  });

  test('every request of a window gets a count of its own, refused ones included (D10)', async () => {
    const record = keyRecord(5);
    const admissions = await Promise.all(Array.from({ length: 100 }, (_, index) => request(bench.gates[index % 4]!, hash, record)));
    const counts = new Set(admissions.map((admission) => `${Math.floor(admission.nowMs / timings.windowMs)} ${admission.count}`));
    expect(counts.size).toBe(100);
  });

  test('a burst over the edge of a window admits at most twice the limit, and a new window starts at one', async () => {
    const windowMs = 200;
    await reopen({ windowMs });
    const record = keyRecord(5);
    await gate.complete(hash);
    const admissions: Admission[] = [];
    const first = await request(gate, hash, record);
    for (const edge of [0, 1]) {
      await bench.pass(windowMs - (first.nowMs % windowMs) + edge * windowMs - 20);
      for (let step = 0; step < 20; step += 1) {
        admissions.push(await request(bench.gates[step % 4]!, hash, record));
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

  test('60 applies until the key has completed a request, its own limit within the same window after that (D13)', async () => {
    const large = keyRecord(100);
    const cold = await Promise.all(Array.from({ length: 70 }, () => request(gate, hash, large)));
    for (const window of byWindow(cold, large, timings.windowMs)) expect(window.admitted).toBe(Math.min(60, window.made));
    await other.complete(hash);
    const warm = await request(gate, hash, large);
    expect(warm.completedLately).toBe(true);
    expect(judge(warm, large)).toMatchObject({ limit: 100, admitted: true });
  });

  test('a key with a limit below 60 is held to it only after its first completion (D13)', async () => {
    const small = keyRecord(10);
    const cold = await Promise.all(Array.from({ length: 61 }, () => request(gate, hash, small)));
    for (const window of byWindow(cold, small, timings.windowMs)) expect(window.admitted).toBe(Math.min(60, window.made));
    await gate.complete(hash);
    expect(judge(await request(gate, hash, small), small).limit).toBe(10);
  });

  test('the completion counts for five minutes and is written again only when it is old', async () => {
    await reopen({ completedLatelyMs: 300, markFreshMs: 100 });
    const record = keyRecord(100);
    expect(await request(gate, hash, record)).toMatchObject({ completedLately: false, markStale: true });
    await gate.complete(hash);
    expect(await request(other, hash, record)).toMatchObject({ completedLately: true, markStale: false });
    await bench.pass(150);
    expect(await request(other, hash, record)).toMatchObject({ completedLately: true, markStale: true });
    await bench.pass(200);
    expect(await request(other, hash, record)).toMatchObject({ completedLately: false, markStale: true });
  });

  test('a record is remembered as it was given, by every gateway, until its time is over', async () => {
    await reopen({ recordKeptMs: 150 });
    const record = keyRecord(100);
    expect((await gate.admit(hash)).record).toBeUndefined();
    await request(gate, hash, record);
    expect((await other.admit(hash)).record).toEqual(record);
    await bench.pass(200);
    expect(await other.admit(hash)).toMatchObject({ record: undefined, count: 0 });
  });

  test('a flood of one key leaves another untouched', async () => {
    const victim = newHash();
    const record = keyRecord(60);
    await Promise.all(Array.from({ length: 300 }, () => request(gate, hash, record)));
    expect(await request(other, victim, record)).toMatchObject({ count: 1 });
  });

  test('a burial wins over the record, from the moment it resolves and on every gateway', async () => {
    const record = keyRecord(60);
    await request(gate, hash, record);
    await other.bury(hash);
    for (const each of bench.gates) expect(await each.admit(hash)).toMatchObject({ revoked: true, record: undefined, count: 0 });
  });

  test('a burial wins over a read that was under way', async () => {
    const { version } = await gate.admit(hash);
    await other.bury(hash);
    expect(await gate.remember(hash, keyRecord(60), version)).toMatchObject({ revoked: true, record: undefined });
    expect((await gate.admit(hash)).revoked).toBe(true);
  });

  test('a burial that is taken back leaves the key as it was', async () => {
    await request(gate, hash, keyRecord(60));
    await gate.bury(hash);
    await gate.unbury(hash);
    expect(await request(other, hash, keyRecord(60))).toMatchObject({ revoked: false, record: keyRecord(60) });
  });

  test('a record that the database calls revoked is buried, so a Redis that lost its data knows it again', async () => {
    const { version } = await gate.admit(hash);
    expect((await gate.remember(hash, { ...keyRecord(60), revoked: true }, version)).revoked).toBe(true);
    expect((await other.admit(hash)).revoked).toBe(true);
  });

  test('a slow read cannot resurrect a record that was forgotten meanwhile, and still counts', async () => {
    const { version } = await gate.admit(hash);
    await other.forget([hash]);
    expect(await gate.remember(hash, keyRecord(60), version)).toMatchObject({ record: undefined, revoked: false, count: 1 });
    expect((await gate.admit(hash)).record).toBeUndefined();
  });

  test('a slow read cannot replace the record that a later read brought', async () => {
    const slow = await gate.admit(hash);
    await other.forget([hash]);
    await request(other, hash, keyRecord(99));
    await gate.remember(hash, keyRecord(1), slow.version);
    expect((await gate.admit(hash)).record?.rateLimit).toBe(99);
  });

  test('forgetting drops the record of each key on every gateway and keeps its count', async () => {
    const second = newHash();
    const record = keyRecord(60);
    const before = await request(gate, hash, record);
    await request(gate, second, record);
    await other.forget([hash, second]);
    expect((await gate.admit(second)).record).toBeUndefined();
    const after = await request(gate, hash, record);
    if (!edgeBetween(before, after, timings.windowMs)) expect(after.count).toBe(2);
  });
}

function edgeBetween(before: Admission, after: Admission, windowMs: number): boolean {
  return Math.floor(before.nowMs / windowMs) !== Math.floor(after.nowMs / windowMs);
}

describe('the gate in this process', () => promises(inProcess));
describeWithRedis('the gate in Redis', (url) => {
  promises(redis(url));

  test('in Redis nothing of a key lives for ever but a tombstone', async () => {
    const bench = await redis(url)();
    const gate = bench.gates[0]!;
    const client = await createClient({ url }).connect();
    try {
      const [used, missed, buried] = [newHash(), newHash(), newHash()];
      await request(gate, used, keyRecord(60));
      await gate.complete(used);
      await gate.admit(missed);
      await request(gate, buried, keyRecord(60));
      await gate.bury(buried);
      const forEver: string[] = [];
      for (const hash of [used, missed, buried]) {
        for await (const keys of client.scanIterator({ MATCH: `*{${hash}}*` })) {
          for (const key of keys) if ((await client.pTTL(key)) === -1) forEver.push(key);
        }
      }
      expect(forEver).toEqual([keysOf(buried)[0]]);
    } finally {
      client.destroy();
      await bench.stop();
    }
  });

  test('in a Redis cluster one key touches one slot only', async () => {
    const port = await freePort();
    const server = await startRedis(port, '--cluster-enabled', 'yes', '--dir', await mkdtemp(path.join(tmpdir(), 'gate-')));
    const client = await createClient({ url: server.url }).connect();
    const bench = await redis(server.url)();
    try {
      await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
      while (!(await client.clusterInfo()).includes('cluster_state:ok')) await bench.pass(20);
      const [gate, other] = bench.gates as [Gate, Gate];
      const hash = newHash();
      expect(await request(gate, hash, keyRecord(60))).toMatchObject({ record: keyRecord(60) });
      await gate.complete(hash);
      await gate.forget([hash, newHash()]);
      await gate.bury(hash);
      expect((await other.admit(hash)).revoked).toBe(true);
    } finally {
      client.destroy();
      await bench.stop();
      await server.stop();
    }
  });
});
describeWithRedis('the gate in Redis, with its fallback', (url) => promises(redisWithFallback(url)));
