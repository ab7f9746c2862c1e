/** The gateway's behaviour while Redis is down or hung (D14, "Redis down"). */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { capturingLog, describeWithRedis, logNothing as log } from '@store/testbed';
import { until } from '@store/testbed/until';
import type { Admission, KeyGate } from './key-gate.ts';
import {
  freePort,
  keyRecord,
  localGate,
  newHash,
  type RunningRedis,
  redisOptions,
  request as requestOf,
  startRedis,
} from './key-gates.testing.ts';
import { rateLimitOf } from './rate-limit.ts';
import { openRedisKeyGate, type RedisGate } from './redis.ts';
import { KeyGateWithFallback } from './with-fallback.ts';

/** A key gate over another one that fails on demand, and counts its calls. */
function failing(inner: KeyGate): KeyGate & { down: boolean; asked: number } {
  const ask =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      state.asked += 1;
      if (state.down) throw new Error('Redis is down');
      return call.apply(inner, args);
    };
  const state = {
    down: false,
    asked: 0,
    admit: ask(inner.admit),
    remember: ask(inner.remember),
    complete: ask(inner.complete),
    forget: ask(inner.forget),
    revoke: ask(inner.revoke),
    unrevoke: ask(inner.unrevoke),
    stop: ask(inner.stop),
  };
  return state;
}

const request = (keyGate: KeyGate, hash: string, rateLimit: number) => requestOf(keyGate, hash, keyRecord(rateLimit));

describe('over a key gate that fails', () => {
  let redis: ReturnType<typeof failing>;
  let keyGate: KeyGateWithFallback;
  let hash: string;
  let elapsedMs: number;

  beforeEach(() => {
    redis = failing(localGate());
    elapsedMs = 0;
    keyGate = new KeyGateWithFallback({ keyGate: redis, local: localGate(), log, monotonicMs: () => elapsedMs });
    hash = newHash();
  });
  const admit = async (times: number) => {
    for (let sent = 0; sent < times; sent += 1) await keyGate.admit(hash);
  };

  test('no record is remembered: each request reads the database, which has revocations', async () => {
    await request(keyGate, hash, 60);
    expect((await keyGate.admit(hash)).record).toEqual(keyRecord(60));
    redis.down = true;
    expect(await keyGate.admit(hash)).toMatchObject({ record: undefined, count: 0, revoked: false });
    expect(await request(keyGate, hash, 60)).toMatchObject({ record: undefined });
    expect((await keyGate.admit(hash)).record).toBeUndefined();
  });

  test('a request that Redis has counted and answered too late is counted once', async () => {
    const counts = async () => (await redis.admit(hash)).count;
    await request(keyGate, hash, 60);
    const { admit } = redis;
    redis.admit = async (...args) => {
      await admit(...args);
      throw new Error('too late');
    };
    expect(await request(keyGate, hash, 60)).toMatchObject({ record: undefined, count: 1 });
    redis.admit = admit;
    expect(await counts()).toBe(3);
  });

  test('a record that the database calls revoked is refused', async () => {
    redis.down = true;
    const { version } = await keyGate.admit(hash);
    expect((await keyGate.remember(hash, { ...keyRecord(60), revoked: true }, version)).revoked).toBe(true);
  });

  test("this process admits the key's own limit, even without a recent completion", async () => {
    redis.down = true;
    const admissions: Admission[] = [];
    for (let sent = 0; sent < 150; sent += 1) admissions.push(await request(keyGate, hash, 120));
    expect(admissions.filter((admission) => rateLimitOf(admission, keyRecord(120)).admitted)).toHaveLength(120);
  });

  test('after five failures Redis is called twice a second', async () => {
    redis.down = true;
    await admit(5);
    expect(keyGate.isOpen).toBe(true);
    redis.asked = 0;
    await admit(20);
    expect(redis.asked).toBe(0);
    elapsedMs += 500;
    await admit(20);
    expect(redis.asked).toBe(1);
    expect(keyGate.counts).toEqual({ failures: 6, fallbacks: 45, opened: 1 });
  });

  test('one log line says that Redis is down, and one that it is back', async () => {
    const { log: captured, lines } = capturingLog();
    keyGate = new KeyGateWithFallback({ keyGate: redis, local: localGate(), log: captured, monotonicMs: () => elapsedMs });
    redis.down = true;
    await admit(100);
    redis.down = false;
    elapsedMs += 1_000;
    await keyGate.admit(hash);
    expect(lines.map((line) => line.msg)).toEqual([
      'Redis did not answer; this request was served without it',
      'Redis is away: keys are checked in PostgreSQL and limits are kept by each process',
      'Redis answers again: limits are shared and keys are remembered',
    ]);
  });

  test('four failures with a success between them do not open the breaker', async () => {
    for (let round = 0; round < 3; round += 1) {
      redis.down = true;
      await admit(4);
      redis.down = false;
      await keyGate.admit(hash);
    }
    expect(keyGate.isOpen).toBe(false);
  });

  test('the first answer after a second brings Redis back', async () => {
    redis.down = true;
    await admit(5);
    redis.down = false;
    elapsedMs += 1_000;
    expect(await request(keyGate, hash, 60)).toMatchObject({ record: keyRecord(60), count: 1 });
    expect(keyGate.isOpen).toBe(false);
  });

  test('a revocation that Redis does not confirm is an error, and nothing is revoked', async () => {
    await request(keyGate, hash, 60);
    redis.down = true;
    await expect(keyGate.revoke(hash)).rejects.toThrow();
    redis.down = false;
    expect((await keyGate.admit(hash)).revoked).toBe(false);
  });

  test('a revocation calls Redis even when the breaker is open', async () => {
    redis.down = true;
    await admit(5);
    redis.down = false;
    await keyGate.revoke(hash);
    elapsedMs += 1_000;
    expect((await keyGate.admit(hash)).revoked).toBe(true);
  });

  test('a record that could not be dropped from Redis is dropped before its next use', async () => {
    await request(keyGate, hash, 60);
    redis.down = true;
    await keyGate.forget([hash]);
    redis.down = false;
    expect((await keyGate.admit(hash)).record).toBeUndefined();
    elapsedMs += 1_000;
    expect((await keyGate.admit(hash)).record).toBeUndefined();
    expect(await request(keyGate, hash, 90)).toMatchObject({ record: keyRecord(90) });
    expect(keyGate.isOpen).toBe(false);
  });

  test('a read that began before Redis returned is not remembered', async () => {
    redis.down = true;
    const { version } = await keyGate.admit(hash);
    redis.down = false;
    expect(await keyGate.remember(hash, keyRecord(60), version)).toMatchObject({ record: undefined, count: 1 });
  });

  test('a completion during the outage counts after it, and never fails the answer', async () => {
    redis.down = true;
    for (let sent = 0; sent < 5; sent += 1) await keyGate.complete(hash);
    redis.down = false;
    elapsedMs += 1_000;
    expect(await request(keyGate, hash, 120)).toMatchObject({ record: keyRecord(120), completedLately: true });
  });
});

describeWithRedis('over a real Redis of its own', () => {
  let port: number;
  let redis: RunningRedis;
  let redisGate: RedisGate;
  let keyGate: KeyGateWithFallback;
  let hash: string;

  beforeEach(async () => {
    port = await freePort();
    redis = await startRedis(port);
    redisGate = await openRedisKeyGate(redisOptions({ url: redis.url, timeoutMs: 100 }));
    keyGate = new KeyGateWithFallback({ keyGate: redisGate, local: localGate(), log });
    hash = newHash();
    await request(keyGate, hash, 60);
  });
  afterEach(async () => {
    await keyGate.stop();
    await redis.stop();
  });

  /** Not exact times, as other tests share the machine; tests/faults/redis.alone.test.ts measures them. */
  const delayedMs = 10_000;

  test('a stopped Redis delays no request, refuses revocations, and is soon used again', async () => {
    await redis.stop();
    const started = performance.now();
    for (let sent = 0; sent < 50; sent += 1) expect((await request(keyGate, hash, 60)).record).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(delayedMs);
    await expect(keyGate.revoke(hash)).rejects.toThrow();
    redis = await startRedis(port);
    await until(async () => (await request(keyGate, hash, 60)).record !== undefined);
  });

  test('a hung Redis costs a request its timeout at most, none once the breaker is open', async () => {
    redis.process.kill('SIGSTOP');
    try {
      const first = performance.now();
      await Promise.all(Array.from({ length: 20 }, () => request(keyGate, hash, 60)));
      expect(performance.now() - first).toBeLessThan(delayedMs);
      expect(keyGate.isOpen).toBe(true);
      const then = performance.now();
      for (let sent = 0; sent < 100; sent += 1) expect((await request(keyGate, hash, 60)).record).toBeUndefined();
      expect(performance.now() - then).toBeLessThan(delayedMs);
      await expect(keyGate.revoke(hash)).rejects.toThrow('did not answer');
    } finally {
      redis.process.kill('SIGCONT');
    }
    // The revocation reached Redis late: the caller got an error, and the key is refused, which is the safe side.
    await until(async () => (await keyGate.admit(hash)).revoked);
  });

  test('a connection whose peer vanished is replaced', async () => {
    let silent = false;
    const proxy = createServer((client) => {
      const server = connect(port, '127.0.0.1');
      // Connections opened before the freeze receive nothing more; later ones work.
      const openedIn = silent;
      server.on('data', (bytes) => openedIn === silent && client.write(bytes));
      client.on('data', (bytes) => server.write(bytes));
      for (const [one, two] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('error', () => two.destroy());
        one.on('close', () => two.destroy());
      }
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const farRedis = await openRedisKeyGate(redisOptions({ url, deafAfterMs: 200 }));
    const far = new KeyGateWithFallback({ keyGate: farRedis, local: localGate(), log });
    try {
      // A busy machine may answer too late at first.
      let found: Awaited<ReturnType<typeof far.admit>>['record'];
      await until(async () => {
        found = (await far.admit(hash)).record;
        return found !== undefined;
      });
      expect(found).toEqual(keyRecord(60));
      silent = true;
      expect((await far.admit(hash)).record).toBeUndefined();
      await until(async () => (await far.admit(hash)).record !== undefined);
    } finally {
      await far.stop();
      proxy.close();
    }
  });

  test('a start without Redis completes and serves', async () => {
    const nobody = await freePort();
    const cold = await openRedisKeyGate(redisOptions({ url: `redis://127.0.0.1:${nobody}` }));
    const gateway = new KeyGateWithFallback({ keyGate: cold, local: localGate(), log });
    expect(await request(gateway, hash, 60)).toMatchObject({ record: undefined, count: 1 });
    await gateway.stop();
  });
});
