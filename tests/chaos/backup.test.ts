/**
 * A backup under load, at a moment that waits for consumers which are behind, as docs/operations/backup-and-keys.md says. The base backup is recovered to
 * that moment on a server of its own, and the product goes on there with new topics. Nothing acknowledged before is lost, and what
 * services know of each other agrees (P30).
 */
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka, describeWithRedis } from '@store/testbed';
import { until } from '@store/testbed/until';
import { withClient } from '@store/testbed/with-client';
import { repository } from '../../tools/local/data-dir.ts';
import { newRing } from '../../tools/local/local-secrets.ts';
import { type RunningServer, startPostgres } from '../../tools/local/postgres.ts';
import { baseBackup } from '../faults/base-backup.ts';
import { type FleetWorld, openFleetWorld } from '../kit/fleet-world.ts';
import { openTestFleet } from '../kit/test-fleet.ts';
import { checkAudit, checkLedger } from './check-ledger.ts';
import { checkRegister } from './check-register.ts';
import { checkRest } from './check-rest.ts';
import { checkWrites } from './check-writes.ts';
import { collect, unsettled } from './collect.ts';
import { startLoad } from './load.ts';
import { watch } from './watched-world.ts';

const [rate, seed, products, keys] = [15, 30, 40, 8];
const firstPort = 31_200;
const loadMs = 3_000;
/** The groups of these are behind when the moment is looked for. */
const lagging = ['customers', 'inventory'];
const laggingMs = 1_500;
const startMaxMs = 60_000;
const restMaxMs = 100_000;
const runMaxMs = 240_000;

const execute = promisify(execFile);
const dir = mkdtempSync(path.join(os.tmpdir(), 'store-backup-'));
const [live, copy] = [path.join(dir, 'live'), path.join(dir, 'copy')];
const secrets = { KEY_PEPPERS: newRing(), SECRET_KEYS: newRing() };
const servers: RunningServer[] = [];
const start = async (dataDir: string) => {
  const server = await startPostgres({ dataDir, port: firstPort + servers.length, durable: true, log: () => undefined });
  servers.push(server);
  return server;
};
// PostgreSQL refuses to run as root, so it gets a user of its own where the tests run as root.
beforeAll(() => chmodSync(dir, 0o755));
afterAll(async () => {
  for (const server of servers) await server.stop();
  rmSync(dir, { recursive: true, force: true });
}, runMaxMs);

/** The product under load on `live`, until its backup is in `copy`. `beganMs`: what was acknowledged before is in it (performance.now()). */
async function backUnderLoad() {
  const { url } = await start(live);
  const world = await openFleetWorld({ env: { DATABASE_URL: url, ...secrets }, relays: 1 });
  try {
    const running = await startLoad(await watch(world, [], keys), { seed, rate, products });
    await wait(loadMs);
    let [beganMs, waitedMs] = [0, 0];
    const settings = async () => {
      const members = lagging.map((name) => world.fleet.member(name));
      for (const member of members) member.signal('SIGSTOP');
      beganMs = performance.now();
      const env = { DATABASE_URL: url, KAFKA_BROKERS: world.brokers, KAFKA_PREFIX: world.kafkaPrefix };
      const finding = execute(process.execPath, ['apps/gateway/src/run.ts', 'backup-moment'], { cwd: repository, env });
      const isLooking = `select from pg_stat_activity where application_name = 'store-backup'`;
      await until(async () => (await world.database.query(isLooking)).rowCount === 1, startMaxMs);
      await wait(laggingMs);
      for (const member of members) member.signal('SIGCONT');
      const { stdout } = await finding;
      waitedMs = Number(/waited ([\d.]+) s/.exec(stdout)![1]) * 1_000;
      const target = /^recovery_target_lsn = .*$/m.exec(stdout)![0];
      return `restore_command = 'false'\n${target}\nrecovery_target_action = promote\n`;
    };
    await baseBackup({ url, from: live, to: copy, as: 'recovery', settings });
    await wait(loadMs);
    await running.stop();
    return { world, writes: running.writes, beganMs, waitedMs };
  } finally {
    await world.close();
  }
}

describeWithKafka('with Kafka', () =>
  describeWithRedis('and Redis', () =>
    test(
      'a backup under load goes on elsewhere: nothing is lost, all services agree',
      async () => {
        const { world, writes, beganMs, waitedMs } = await backUnderLoad();
        expect(waitedMs).toBeGreaterThan(laggingMs / 2);
        const { url } = await start(copy);
        const raised = spawnSync(process.execPath, ['apps/webhooks/src/run.ts', 'raise-sequences'], {
          cwd: repository,
          env: { DATABASE_URL: url },
        });
        expect(raised.status).toBe(0);
        const restored = await openTestFleet('restored', { env: { DATABASE_URL: url, ...secrets }, relays: 1 });
        await withClient(url, async (judge) => {
          const api = restored.fleet.gateways.map((gateway) => `${gateway}/api/v1`);
          const { storeId, token, password, newKey, subscribe, call } = world;
          const fleet: FleetWorld = { ...restored, api, database: judge, storeId, token, password, newKey, subscribe, call };
          const load = { api, keys: [], token };
          const judged = { fleet, load, tokens: [token], subscribed: [], watchedSince: new Date().toISOString() };
          const moving = await unsettled(judged, judge, { withinMs: restMaxMs, log: () => undefined });
          expect(moving).toEqual([]);
          const acknowledged = writes.filter(({ result, endedMs }) => result === 'ok' && endedMs < beganMs);
          const history = await collect(judged, judge, { writes: acknowledged, tillRequests: [], lives: [], unsettled: moving });
          expect(history.writes.length).toBeGreaterThan(20);
          expect(history.rest.log).toBeDefined();
          const agreed = { ...history, rest: { ...history.rest, log: undefined } };
          expect([checkWrites, checkLedger, checkAudit, checkRegister, checkRest].flatMap((check) => check(agreed))).toEqual([]);
        }).finally(() => restored.close());
      },
      runMaxMs,
    ),
  ),
);
