/** Redis stopped, hung, and back (P16): keys are checked, limits hold, no request waits long. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka, testRedis } from '@store/testbed';
import { ask, type FleetWorld, lastFailure, openFleetWorld, untilMinuteIsYoung } from './fleet-world.ts';
import { between, pause, percentile, startLoad, statuses, stopLoads } from './load.ts';
import { type OwnServer, ownRedis } from './own-servers.ts';

const startMs = 120_000;
const seconds = Number(process.env.FAULT_SECONDS ?? 4);
/** Before the fleet is warm its latencies say nothing. */
const warmUpMs = process.env.FAULT_SECONDS ? 10_000 : 2_000;
const baselineMs = process.env.FAULT_SECONDS ? 20_000 : 2_000;
const limit = 20;
const slowerMaxMs = 100;
/** Four seconds have some 600 answers: the slowest six show the machine, the slowest sixty a gateway that waits for Redis. */
const judgedShare = process.env.FAULT_SECONDS ? 0.99 : 0.9;
const recoveryMaxMs = 2_000;

const faults = [
  ['stopped', (redis: OwnServer) => redis.crash(), (redis: OwnServer) => redis.start()],
  ['hung', async (redis: OwnServer) => redis.signal('SIGSTOP'), async (redis: OwnServer) => redis.signal('SIGCONT')],
] as const;

if (testRedis()) {
  describeWithKafka('Redis', () => {
    let redis: OwnServer;
    let world: FleetWorld;
    beforeAll(async () => {
      redis = await ownRedis();
      world = await openFleetWorld({ gateways: 2, env: { REDIS_URL: redis.address } });
    }, startMs);
    afterEach(stopLoads);
    afterAll(async () => {
      await world?.close();
      await redis.close();
    }, startMs);

    test.each(faults)(
      '%s: no request fails, keys are checked, limits hold per process, answers take at most 100 ms more; sharing resumes within 2 s',
      async (_how, begin, end) => {
        const [revokedBefore, revokedDuring, limited, limitedBefore] = [
          await world.newKey(),
          await world.newKey(),
          await world.newKey({ rate_limit: limit }),
          await world.newKey({ rate_limit: limit }),
        ];
        for (const { key } of [revokedDuring, limited]) for (const api of world.api) await ask(`${api}/key`, { key });
        expect(await revoke(world, revokedBefore.id)).toBe(200);
        const load = await startLoad(world, { writers: 4, readers: 12, pace: 8 });
        await pause(warmUpMs);
        await untilMinuteIsYoung(world.database);
        const warmAtMs = performance.now();
        // The same burst as during the fault: it makes the requests beside it wait.
        await admittedOf(world, limitedBefore.key, 5 * limit);
        await pause(baselineMs);
        const fromMs = performance.now();
        await begin(redis);

        const admitted = await admittedOf(world, limited.key, 5 * limit);
        expect(admitted).toBeGreaterThan(0);
        expect(admitted).toBeLessThanOrEqual(2 * limit);
        await expectRefused(world, revokedBefore.key);
        await expectRefused(world, `${revokedBefore.key.slice(0, -1)}0`);
        // The revocation is stored but could not be confirmed, and the answer says so; the key is refused all the same.
        expect(await revoke(world, revokedDuring.id)).toBe(500);
        await expectRefused(world, revokedDuring.key);

        await pause(Math.max(0, seconds * 1_000 - (performance.now() - fromMs)));
        await end(redis);
        const endedAtMs = performance.now();
        const recoveryMs = (await lastFailure(() => isShared(world), recoveryMaxMs + 10_000)) - endedAtMs;
        await load.stop();

        const before = between([...load.reads, ...load.writes], warmAtMs, fromMs);
        const during = between([...load.reads, ...load.writes], fromMs, endedAtMs);
        const [msBefore, msDuring] = [percentile(before, judgedShare), percentile(during, judgedShare)];
        if (process.env.FAULT_REPORT) console.error({ msBefore, msDuring, recoveryMs, admitted, during: statuses(during) });
        expect(Object.keys({ ...statuses(load.reads), ...statuses(load.writes) }).sort()).toEqual(['200', '201']);
        expect(msDuring).toBeLessThanOrEqual(msBefore * 1.5 + slowerMaxMs);
        expect(recoveryMs).toBeLessThanOrEqual(recoveryMaxMs);
        for (const { key } of [revokedBefore, revokedDuring]) await expectRefused(world, key);
      },
      startMs + warmUpMs + baselineMs + seconds * 1_000,
    );
  });
} else {
  test.skip('Redis stopped and hung (there is no Redis)', () => undefined);
}

async function revoke(world: FleetWorld, id: number): Promise<number> {
  return (await ask(`${world.api[0]}/api_keys/${id}`, { method: 'DELETE', token: world.token })).status;
}

async function expectRefused(world: FleetWorld, key: string): Promise<void> {
  for (const api of world.api) expect((await ask(`${api}/products`, { key })).status).toBe(401);
}

/** How many of `requests` over all gateways the key's limit admitted; all others must be 429. */
async function admittedOf(world: FleetWorld, key: string, requests: number): Promise<number> {
  const asked = await Promise.all(Array.from({ length: requests }, (_, n) => ask(`${world.api[n % world.api.length]}/key`, { key })));
  expect(asked.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  return asked.filter(({ status }) => status === 200).length;
}

/** Whether a new key's four requests are counted over both gateways together. */
async function isShared(world: FleetWorld): Promise<boolean> {
  const { key } = await world.newKey({ rate_limit: 4 });
  await ask(`${world.api[0]}/key`, { key });
  return (await admittedOf(world, key, 12)) <= 3;
}
