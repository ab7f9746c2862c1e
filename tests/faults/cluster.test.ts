/**
 * Redis Cluster: masters are killed while two gateways count requests; no limit opens and no request fails
 * (P16), and each master's keys are shared again when its slots are served again.
 */
import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { logNothing as log } from '@store/testbed';
import { until } from '@store/testbed/until';
import { type ClusterKeyGate, openClusterKeyGate } from '../../apps/gateway/src/key-gate/cluster-key-gate.ts';
import { InProcessGate } from '../../apps/gateway/src/key-gate/in-process.ts';
import type { Admission } from '../../apps/gateway/src/key-gate/key-gate.ts';
import { slotOf, slots } from '../../apps/gateway/src/key-gate/key-slot.ts';
import { describeWithCluster, type RunningCluster, startCluster } from '../../apps/gateway/src/key-gate/redis-cluster.testing.ts';
import { NoAnswer } from '../../apps/gateway/src/key-gate/with-reply-timeout.ts';
import { openBeforeAll } from '../kit/use.ts';
import { backWithinMs, clock, gateways, limit, pepper, startRequests } from './gate-load.ts';
import { report } from './load.ts';

const startMs = 120_000;
const masters = 3;
const nodeTimeoutMs = 2_000;

describeWithCluster('a Redis Cluster of three masters, one with a replica', () => {
  let cluster: RunningCluster;
  let gates: ClusterKeyGate[];
  let memoryLost = 0;
  openBeforeAll(async (opened) => {
    cluster = await opened(startCluster({ masters, replica: true, nodeTimeoutMs }));
    const open = () => {
      const gate = openClusterKeyGate({
        ...{ url: cluster.url, log, clock, pepper, local: new InProcessGate(clock) },
        onMemoryLost: () => {
          memoryLost += 1;
        },
      });
      return opened(gate, (one) => one.stop());
    };
    gates = await Promise.all(Array.from({ length: gateways }, open));
  });

  /** Every gateway is answered by the cluster about this key. */
  const isShared = (hash: string) =>
    until(async () => (await Promise.all(gates.map((gate) => gate.admit(hash)))).every(isOfRedis), backWithinMs);
  const isAway = (hash: string) =>
    until(async () => !(await Promise.all(gates.map((gate) => gate.admit(hash)))).some(isOfRedis), backWithinMs);
  const refused = (hash: string) => Promise.all(gates.map(async (gate) => (await gate.admit(hash)).revoked));

  test(
    'a slot moves under load: its keys are answered and limited, no other given up',
    async () => {
      const [moved, stays] = [hashOf(2), hashOf(2)] as const;
      // The last one, so that the other master has the scripts of each gateway.
      await Promise.all([moved, stays, hashOf(1)].map(isShared));
      const load = startRequests(gates, [moved, stays]);
      const fallbacks = () => gates.reduce((sum, { counts }) => sum + counts.fallbacks, 0);
      const [before, lostBefore] = [fallbacks(), memoryLost];
      let duringMove = 0;
      await cluster.moveSlot(slotOf(moved), cluster.nodes[2]!, cluster.nodes[1]!, async () => {
        const sentBefore = load.sent();
        await until(() => load.sent() > sentBefore + 4 * limit, backWithinMs);
        duringMove = load.sent() - sentBefore;
        await isShared(stays);
        // Sent to where the key will be.
        await answered(() => gates[0]!.revoke(moved));
        await answered(() => gates[0]!.unrevoke(moved));
      });
      await isShared(moved);
      const windows = await load.stop();
      const unshared = fallbacks() - before;
      report({ windows, duringMove, unshared });
      // What the masters counted, which moved with the key, and what each gateway counted by itself.
      for (const { admitted } of windows) expect(admitted).toBeLessThanOrEqual((1 + gateways) * limit);
      expect(unshared).toBeGreaterThan(0);
      expect(memoryLost).toBe(lostBefore);
      expect(gates.map(({ counts }) => counts.opened)).toEqual([0, 0]);
    },
    startMs + backWithinMs,
  );

  test(
    'a master killed under load: limits hold and no call fails until it is replaced',
    async () => {
      const hashes = Array.from({ length: masters }, (_, n) => hashOf(n));
      const [replicated, single] = hashes as [string, string];
      await Promise.all(hashes.map(isShared));
      const load = startRequests(gates, hashes);
      await until(() => load.sent() > 12 * limit, backWithinMs);

      const promotedMs = await msOf(async () => {
        await cluster.nodes[0]!.kill();
        await isAway(replicated);
        await isShared(replicated);
      });
      await answered(() => gates[0]!.revoke(replicated));
      expect(await refused(replicated)).toEqual([true, true]);

      await cluster.nodes[1]!.kill();
      await isAway(single);
      await expect(gates[0]!.revoke(single)).rejects.toThrow();
      const restartedMs = await msOf(async () => {
        await cluster.nodes[1]!.restart();
        await isShared(single);
      });
      await Promise.all(hashes.map(isShared));
      await answered(() => gates[1]!.revoke(single));
      expect(await refused(single)).toEqual([true, true]);

      const windows = await load.stop();
      report({ windows, promotedMs, restartedMs });
      // What the old and the new master counted, and what each gateway counted by itself.
      const most = (2 + gateways) * limit;
      for (const { admitted } of windows) expect(admitted).toBeLessThanOrEqual(most);
      expect(windows.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan(12 * limit);
    },
    startMs + 8 * backWithinMs,
  );
});

/** A key of the slots of that master. */
function hashOf(master: number): string {
  for (;;) {
    const hash = randomBytes(32).toString('hex');
    if (Math.floor((slotOf(hash) * masters) / slots) === master) return hash;
  }
}

/** Without Redis there is neither a record nor a lease to read one under. */
function isOfRedis({ record: remembered, version, revoked }: Admission): boolean {
  return remembered !== undefined || version > 0 || revoked;
}

/** On a busy machine a master that serves the key may be late; who revokes a key tries again then. */
function answered(ask: () => Promise<void>): Promise<void> {
  const isAnswered = async () => {
    try {
      await ask();
      return true;
    } catch (error) {
      if (error instanceof NoAnswer) return false;
      throw error;
    }
  };
  return until(isAnswered, backWithinMs);
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const fromMs = performance.now();
  await work();
  return Math.round(performance.now() - fromMs);
}
