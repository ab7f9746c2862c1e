/** The product as production runs it: one process per app on PostgreSQL, Redis and Kafka. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { appNames, groupsOf } from '@store/contract';
import { watchGroups } from '@store/events';
import { logNothing } from '@store/testbed/log';
import { repository } from '../../tools/local/data-dir.ts';
import type { Layout, LayoutOptions } from './layout.ts';
import { SharedClock } from './shared-clock.ts';
import { openTestFleet } from './test-fleet.ts';

export async function openProcesses({ env, startsAt, purgeOldEvents }: LayoutOptions): Promise<Layout> {
  for (const part of ['TEST_REDIS_URL', 'TEST_KAFKA_BROKERS']) {
    if (!process.env[part]) throw new Error(`JOURNEYS_LAYOUT=processes needs Redis and Kafka; ${part} is not set`);
  }
  const dir = mkdtempSync(path.join(os.tmpdir(), 'store-clock-'));
  const file = path.join(dir, 'clock');
  const clock = SharedClock.open(file, startsAt);
  const test = await openTestFleet('journeys', {
    env: { ...env, JOURNEYS_CLOCK: file, LOG_LEVEL: purgeOldEvents ? 'trace' : 'warn' },
    entry: (app) => [path.join(repository, 'tests/kit/app.ts'), app],
  });
  const { fleet, databaseUrl, brokers, kafkaPrefix: prefix } = test;
  const watch = await watchGroups({ brokers: brokers.split(','), prefix, log: logNothing }, appNames.flatMap(groupsOf));
  return {
    baseUrl: fleet.gateways[0]!,
    databaseUrl,
    clock,
    published: () => watch.published(),
    logged: () => fleet.members.flatMap(({ name }) => linesOf(test.log(name))),
    close: async () => {
      const unwatched = await watch.unwatched();
      await watch.close();
      await test.close();
      clock.close();
      rmSync(dir, { recursive: true });
      if (unwatched.length > 0) throw new Error(`settled() does not wait for ${unwatched.join(', ')}: add them to the registry of apps`);
    },
  };
}

/** A warning of Node is not JSON, but must not hold a secret either. */
function linesOf(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => (line.startsWith('{') ? (JSON.parse(line) as Record<string, unknown>) : { text: line }));
}
