/** Redis stopped, hung, and back (P16): keys are checked, limits hold, no request waits long. */

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { describeWithKafka, describeWithRedis } from '@store/testbed';
import { until } from '@store/testbed/until';
import { type FleetWorld, untilMinuteIsYoung } from '../kit/fleet-world.ts';
import { send } from '../kit/http.ts';
import { type OwnServer, ownRedis } from '../kit/own-servers.ts';
import { useFleet } from '../kit/use.ts';
import { between, percentile, report, startLoad, statuses, statusesOfAll } from './load.ts';

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

describeWithRedis('with Redis', () =>
  describeWithKafka('and Kafka', () => {
    let redis: OwnServer;
    const world = useFleet(async (opened) => {
      redis = await opened(ownRedis());
      return { gateways: 2, env: { REDIS_URL: redis.address } };
    });

    test.each(faults)(
      'Redis %s: no request fails, limits hold per process, answers take 100 ms more',
      async (_how, begin, end) => {
        const [revokedBefore, revokedDuring, limited, limitedBefore] = [
          await world.newKey(),
          await world.newKey(),
          await world.newKey({ rate_limit: limit }),
          await world.newKey({ rate_limit: limit }),
        ];
        for (const { key } of [revokedDuring, limited]) for (const api of world.api) await send('GET', `${api}/key`, { key });
        expect(await revoke(world, revokedBefore.id)).toBe(200);
        const load = await startLoad(world, { writers: 4, readers: 12, pace: 8 });
        await wait(warmUpMs);
        await untilMinuteIsYoung(world.database);
        const warmAtMs = performance.now();
        // The same burst as during the fault: it makes the requests beside it wait.
        await admittedOf(world, limitedBefore.key, 5 * limit);
        await wait(baselineMs);
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

        await wait(Math.max(0, seconds * 1_000 - (performance.now() - fromMs)));
        await end(redis);
        const endedAtMs = performance.now();
        const recoveryMs = (await lastFailure(() => isShared(world), recoveryMaxMs + 10_000)) - endedAtMs;
        await load.stop();

        const before = between([...load.reads, ...load.writes], warmAtMs, fromMs);
        const during = between([...load.reads, ...load.writes], fromMs, endedAtMs);
        const [msBefore, msDuring] = [percentile(before, judgedShare), percentile(during, judgedShare)];
        report({ msBefore, msDuring, recoveryMs, admitted, during: statuses(during) });
        expect(statusesOfAll(load)).toEqual(['200', '201']);
        expect(msDuring).toBeLessThanOrEqual(msBefore * 1.5 + slowerMaxMs);
        expect(recoveryMs).toBeLessThanOrEqual(recoveryMaxMs);
        for (const { key } of [revokedBefore, revokedDuring]) await expectRefused(world, key);
      },
      startMs + warmUpMs + baselineMs + seconds * 1_000,
    );
  }),
);

async function revoke(world: FleetWorld, id: number): Promise<number> {
  return (await world.call('DELETE', `/api_keys/${id}`, { token: world.token })).status;
}

async function expectRefused(world: FleetWorld, key: string): Promise<void> {
  for (const api of world.api) expect((await send('GET', `${api}/products`, { key })).status).toBe(401);
}

/** How many of `requests` over all gateways the key's limit admitted; all others must be 429. */
async function admittedOf(world: FleetWorld, key: string, requests: number): Promise<number> {
  const asked = await Promise.all(
    Array.from({ length: requests }, (_, n) => send('GET', `${world.api[n % world.api.length]}/key`, { key })),
  );
  expect(asked.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  return asked.filter(({ status }) => status === 200).length;
}

/** Whether a new key's four requests are counted over both gateways together. */
async function isShared(world: FleetWorld): Promise<boolean> {
  const { key } = await world.newKey({ rate_limit: 4 });
  await world.call('GET', '/key', { key });
  return (await admittedOf(world, key, 12)) <= 3;
}

/**
 * Polls until `holds` does; returns when the last look that found it otherwise began (performance.now()), -Infinity when none did. Until
 * then it did not hold; how long a look takes, and so when the next one began, says nothing of what is looked at.
 */
async function lastFailure(holds: () => Promise<boolean>, withinMs: number): Promise<number> {
  let failedAtMs = Number.NEGATIVE_INFINITY;
  await until(async () => {
    const beganAtMs = performance.now();
    const does = await holds();
    if (!does) failedAtMs = beganAtMs;
    return does;
  }, withinMs);
  return failedAtMs;
}
