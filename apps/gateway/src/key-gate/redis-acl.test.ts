/** The key gate under exactly the rights that docs/operations/install.md names: each is enough, and none is too many. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithRedis } from '@store/testbed';
import { createClient } from 'redis';
import { openClusterKeyGate } from './cluster-key-gate.ts';
import { InProcessGate } from './in-process.ts';
import { everyVerb, freePort, generousTimeoutMs, newHash, type RunningRedis, redisOptions, startRedis } from './key-gates.testing.ts';
import { slotOf, slots } from './key-slot.ts';
import { openRedisKeyGate } from './redis.ts';
import { aclRules, clusterCommands, commands } from './redis-acl.ts';
import { describeWithCluster, type RunningCluster, startCluster } from './redis-cluster.testing.ts';

const password = 'p4ssw0rd';
type Admin = Awaited<ReturnType<typeof adminOf>>;
const adminOf = (url: string) => createClient({ url, RESP: 3 }).connect();
const allow = (admin: Admin, allowed: readonly string[]) =>
  admin.sendCommand(['ACL', 'SETUSER', 'store', 'reset', 'on', `>${password}`, ...aclRules(allowed)]);
async function refusals(admin: Admin): Promise<string[]> {
  const entries = (await admin.sendCommand(['ACL', 'LOG'])) as unknown as { object: string }[];
  await admin.sendCommand(['ACL', 'LOG', 'RESET']);
  return entries.map(({ object }) => object);
}

describeWithRedis('the rights that the documents name, on one Redis,', () => {
  let server: RunningRedis;
  let admin: Admin;
  beforeAll(async () => {
    server = await startRedis(await freePort());
    admin = await adminOf(server.url);
  });
  afterAll(async () => {
    admin?.destroy();
    await server?.stop();
  });
  const asUser = () => server.url.replace('//', `//store:${password}@`);
  const withRights = async (allowed: readonly string[]) => {
    await allow(admin, allowed);
    const keyGate = await openRedisKeyGate(redisOptions({ url: asUser(), timeoutMs: generousTimeoutMs }));
    try {
      await everyVerb(keyGate);
    } finally {
      await keyGate.stop();
    }
  };

  test('are enough for every verb: nothing is refused', async () => {
    await withRights(commands);
    expect(await refusals(admin)).toEqual([]);
  });

  test.each(commands)('are not enough without %s', async (one) => {
    const failed = await withRights(commands.filter((command) => command !== one)).then(
      () => false,
      () => true,
    );
    expect([failed, await refusals(admin)]).toEqual([true, expect.arrayContaining([one])]);
  });

  test('reach no other key, and no other command', async () => {
    await allow(admin, commands);
    const user = await createClient({ url: asUser(), disableClientInfo: true }).connect();
    try {
      for (const command of ['GET other', 'KEYS *', 'FLUSHALL', 'CONFIG GET *', 'EVAL return 0', 'PUBLISH x y'])
        await expect(user.sendCommand(command.split(' '))).rejects.toThrow('NOPERM');
    } finally {
      user.destroy();
    }
  });
});

describeWithCluster('the rights that the documents name, on a Redis Cluster,', () => {
  const all = [...commands, ...clusterCommands];
  const pingWithinMs = 30_000;
  let cluster: RunningCluster;
  let admins: Admin[];
  beforeAll(async () => {
    cluster = await startCluster({ masters: 3 });
    admins = await Promise.all(cluster.nodes.map(({ port }) => adminOf(`redis://127.0.0.1:${port}`)));
  }, 120_000);
  afterAll(async () => {
    for (const admin of admins ?? []) admin.destroy();
    await cluster?.close();
  });

  const pings = async () => {
    const stats = await Promise.all(admins.map((admin) => admin.sendCommand(['INFO', 'commandstats'])));
    return stats.filter((text) => String(text).includes('cmdstat_ping:')).length;
  };

  /** The key is on neither master yet: the old one sends the client to the new one. */
  const whileItsSlotMoves = async (work: (hash: string) => Promise<void>) => {
    const hash = newHash();
    const slot = slotOf(hash);
    const at = cluster.nodes.findIndex((_, n) => slot < Math.floor(((n + 1) * slots) / cluster.nodes.length));
    const next = cluster.nodes[(at + 1) % cluster.nodes.length]!;
    const failures: unknown[] = [];
    await cluster.moveSlot(slot, cluster.nodes[at]!, next, () => work(hash).catch((error: unknown) => void failures.push(error)));
    expect(failures).toEqual([]);
  };

  test.each(['nothing', ...clusterCommands])('of which %s is missing: it is refused, and nothing else', async (left) => {
    for (const admin of admins) {
      const allowed = all.filter((command) => command !== left);
      await allow(admin, allowed);
      await admin.sendCommand(['CONFIG', 'RESETSTAT']);
      await refusals(admin);
    }
    const url = cluster.url.replace('//', `//store:${password}@`);
    const local = new InProcessGate({ now: () => new Date() });
    const keyGate = await openClusterKeyGate({ ...redisOptions({ url, timeoutMs: generousTimeoutMs }), local });
    try {
      const answered = await everyVerb(keyGate)
        .then(() => whileItsSlotMoves((hash) => keyGate.revoke(hash)))
        .then(
          () => keyGate.counts.fallbacks === 0,
          () => false,
        );
      // Without an answer to its pings the client opens the connection anew, which no caller notices.
      expect(answered).toBe(left === 'nothing' || left === 'ping');
      // The client asks each server now and then whether it is there.
      const endMs = performance.now() + pingWithinMs;
      while (answered && (await pings()) < admins.length) expect(performance.now()).toBeLessThan(endMs);
    } finally {
      await keyGate.stop();
    }
    const refused = (await Promise.all(admins.map(refusals))).flat();
    expect(refused).toEqual(left === 'nothing' ? [] : expect.arrayContaining([left]));
  });
});
