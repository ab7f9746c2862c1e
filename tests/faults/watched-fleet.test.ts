/** What an operator of one process per app sees: ports for monitoring each, and what happens when one ends. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import { repository } from '../../tools/local/data-dir.ts';
import { isReady } from '../kit/fleet-world.ts';
import { openTestFleet, type TestFleet } from '../kit/test-fleet.ts';
import { openBeforeAll } from '../kit/use.ts';

const startMs = 120_000;

describeWithKafka('one process per app', () => {
  const said: string[] = [];
  let world: TestFleet;
  openBeforeAll(async (opened) => {
    // The same HEALTH_PORT for all, as a shell's environment gives it.
    const options = { healthPort: 20_000 + Math.floor(Math.random() * 10_000), env: { HEALTH_PORT: '9090' }, restart: true };
    world = await opened(openTestFleet('watched', { ...options, say: (line) => said.push(line) }));
  });

  test('each has its own port for /healthz, /readyz, /metrics, whatever HEALTH_PORT is', async () => {
    const ports = world.fleet.members.map(({ healthPort }) => healthPort);
    expect(new Set(ports).size).toBe(appNames.length + 1);
    for (const { name, healthPort } of world.fleet.members) {
      const base = `http://127.0.0.1:${healthPort}`;
      await until(() => isReady(base), startMs);
      const text = await (await fetch(`${base}/metrics`)).text();
      if (name === 'relay') {
        expect(text).toContain('store_relay_published_total');
        continue;
      }
      expect(text).toContain(`store_outbox_rows{app="${name}"}`);
      expect(text).toContain(`store_pool_connections_max{app="${name}"}`);
    }
  });

  test('the metrics that alert rules and dashboard name are answered by some process', async () => {
    const texts = world.fleet.members.map(async ({ healthPort }) => (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text());
    const answered = new Set([...(await Promise.all(texts)).join('\n').matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
    const files = ['k8s/installation/alerts.yaml', 'monitoring/grafana/store.json'].map((file) => path.join(repository, 'deploy', file));
    const named = new Set(
      files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:store|process|nodejs)_[a-z0-9_]+/g)]).map(([name]) => name),
    );
    expect(named.size).toBeGreaterThan(25);
    // Only with GRPC_TLS_CERT, which these have not.
    named.delete('store_certificate_not_after_seconds');
    const missing = [...named].filter((name) => !answered.has(name) && !answered.has(name.replace(/_(bucket|count|sum)$/, '')));
    expect(missing).toEqual([]);
  });

  test("a process that ends is restarted; the terminal says so with its log's path", async () => {
    const member = world.fleet.member('customers');
    const pid = member.pid;
    member.signal('SIGKILL');
    await until(() => said.length > 0, startMs);
    expect(said).toEqual([`customers ended by SIGKILL and is started again.\n  Its log: ${member.logFile}`]);
    expect(existsSync(member.logFile)).toBe(true);
    await until(() => member.running && member.pid !== pid, startMs);
  });
});

describeWithKafka('a fleet with a process that does not start', () => {
  test(
    'ends with its name, the cause and the path of its log',
    async () => {
      const start = openTestFleet('refused', { env: { DATABASE_POOL_MAX: 'many' } });
      await expect(start).rejects.toThrow(
        /^\w+ did not start\. It says: Bad configuration: .*DATABASE_POOL_MAX.*\n {2}Its log: \/.*\w+\.log$/,
      );
    },
    startMs,
  );
});
