/** Redis with Sentinel: the master is killed and its replica promoted while two gateways count requests; no limit opens (P16). */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { describeWithRedis, logNothing as log } from '@store/testbed';
import { until } from '@store/testbed/until';
import { InProcessGate } from '../../apps/gateway/src/key-gate/in-process.ts';
import type { KeyGate } from '../../apps/gateway/src/key-gate/key-gate.ts';
import { openRedisKeyGate } from '../../apps/gateway/src/key-gate/redis.ts';
import { KeyGateWithFallback } from '../../apps/gateway/src/key-gate/with-fallback.ts';
import { openBeforeAll } from '../kit/use.ts';
import { backWithinMs, clock, gateways, limit, pepper, startRequests } from './gate-load.ts';
import { report } from './load.ts';
import { type SentinelSet, startSentinelSet } from './sentinel.ts';

const startMs = 120_000;

describeWithRedis('Redis with Sentinel', () => {
  let servers: SentinelSet;
  let redisGates: Awaited<ReturnType<typeof openRedisKeyGate>>[];
  let losses = 0;
  const noteLoss = () => {
    losses += 1;
  };
  openBeforeAll(async (opened) => {
    servers = await opened(startSentinelSet());
    const open = () => opened(openRedisKeyGate({ url: servers.url, log, clock, pepper, onMemoryLost: noteLoss }), (gate) => gate.stop());
    redisGates = await Promise.all(Array.from({ length: gateways }, open));
  });

  const answers = (gate: KeyGate, hash: string) =>
    gate.admit(hash).then(
      () => true,
      () => false,
    );

  test(
    'killed under load: limits hold, and both gateways use the new master',
    async () => {
      const gates = redisGates.map((keyGate) => new KeyGateWithFallback({ keyGate, local: new InProcessGate(clock), log }));
      const hash = randomBytes(32).toString('hex');
      for (const gate of redisGates) await until(() => answers(gate, hash), backWithinMs);
      const load = startRequests(gates, [hash]);
      await until(() => load.sent() > 4 * limit, backWithinMs);
      const before = losses;
      servers.killMaster();
      const killedAtMs = performance.now();
      // The new master does not know their scripts: each takes what it remembers for lost.
      await until(() => losses - before >= gateways, backWithinMs);
      for (const gate of redisGates) await until(() => answers(gate, hash), backWithinMs);
      const backAfterMs = performance.now() - killedAtMs;
      const during = load.sent();
      await until(() => load.sent() > during + 4 * limit, backWithinMs);
      const windows = await load.stop();
      report({ windows, backAfterMs });
      // What Redis counted, and what each gateway counted by itself; the new master goes on from what it was told, or from nothing.
      const most = (2 + gateways) * limit;
      for (const { admitted } of windows) expect(admitted).toBeLessThanOrEqual(most);
      expect(windows.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan(2 * most);
    },
    startMs + 5 * backWithinMs,
  );
});
