/** The backlog that an outage of Kafka leaves is published in order, quickly, while the API serves requests (P6). */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { backlogRecords, fillOutbox } from '../bench/outbox-backlog.ts';
import { type FleetWorld, openFleetWorld, until } from './fleet-world.ts';
import { between, pause, percentile, startLoad, statuses, stopLoads } from './load.ts';

const startMs = 120_000;
const rows = Number(process.env.FAULT_BACKLOG_ROWS ?? 10_000);
/** A twentieth of the promised rate on an idle machine (docs/performance.md), which the bench measures: the tests share theirs. */
const perSecondMin = 250;

describeWithKafka('an outbox backlog', () => {
  let world: FleetWorld;
  beforeAll(async () => {
    world = await openFleetWorld();
  }, startMs);
  afterEach(stopLoads);
  afterAll(() => world?.close(), startMs);

  test(
    `of ${rows} rows is carried once, in the order of each record, and no request fails meanwhile`,
    async () => {
      const load = await startLoad(world, { writers: 2, readers: 4, pace: 5 });
      await pause(1_000);
      const filledAtMs = performance.now();
      await fillOutbox(world.database, world.storeId, rows);
      const startedAtMs = performance.now();
      await until(async () => Number((await count('catalog.outbox', 'true')).n) < 10, startMs * 5);
      const perSecond = rows / ((performance.now() - startedAtMs) / 1_000);
      const drainedAtMs = performance.now();
      await until(async () => (await count('gateway.audit_entries', `action = 'backlog.row'`)).n >= rows, startMs * 5);
      await load.stop();
      const all = [...load.reads, ...load.writes];
      if (process.env.FAULT_REPORT) {
        console.error(
          `${rows} rows at ${Math.round(perSecond)} per second, handled ${Math.round(performance.now() - drainedAtMs)} ms later`,
          {
            p99Before: percentile(between(all, 0, filledAtMs), 0.99),
            p99During: percentile(between(all, startedAtMs, drainedAtMs), 0.99),
          },
        );
      }
      expect(Object.keys(statuses(all)).sort()).toEqual(['200', '201']);
      expect(perSecond).toBeGreaterThan(perSecondMin);
      const { rows: records } = await world.database.query<{ steps: number[] }>(
        `select array_agg((after->>'step')::int order by id) as steps from gateway.audit_entries where action = 'backlog.row' group by resource_id`,
      );
      expect(records).toHaveLength(backlogRecords);
      expect(records.filter(({ steps }) => steps.length !== rows / backlogRecords || steps.some((step, n) => step !== n))).toEqual([]);
    },
    startMs * 10,
  );

  async function count(table: string, where: string): Promise<{ n: number }> {
    return (await world.database.query(`select count(*)::int as n from ${table} where ${where}`)).rows[0];
  }
});
