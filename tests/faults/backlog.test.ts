/** The backlog that an outage of Kafka leaves is published in order, quickly, while the API serves requests (P6). */

import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { describeWithKafka } from '@store/testbed';
import { until } from '@store/testbed/until';
import { addOutboxRows, backlogRecords } from '../kit/outbox-rows.ts';
import { useFleet } from '../kit/use.ts';
import { between, percentile, report, startLoad, statusesOfAll } from './load.ts';

const startMs = 120_000;
const rows = Number(process.env.FAULT_BACKLOG_ROWS ?? 10_000);
/** A twentieth of the promised rate on an idle machine (docs/performance.md), which the bench measures: the tests share theirs. */
const perSecondMin = 250;

describeWithKafka('an outbox backlog', () => {
  const world = useFleet();

  test(
    `of ${rows} rows is carried once, in each record's order; no request fails`,
    async () => {
      const load = await startLoad(world, { writers: 2, readers: 4, pace: 5 });
      await wait(1_000);
      const filledAtMs = performance.now();
      await addOutboxRows(world.database, { storeIds: [world.storeId], count: rows, name: 'product.updated', audited: true });
      const startedAtMs = performance.now();
      await until(async () => (await count('catalog.outbox', 'true')) < 10, startMs * 5);
      const perSecond = rows / ((performance.now() - startedAtMs) / 1_000);
      const drainedAtMs = performance.now();
      await until(async () => (await count('gateway.audit_entries', `action = 'backlog.row'`)) >= rows, startMs * 5);
      await load.stop();
      const all = [...load.reads, ...load.writes];
      const [before, during] = [between(all, 0, filledAtMs), between(all, startedAtMs, drainedAtMs)].map((some) => percentile(some, 0.99));
      report(`${rows} rows`, { perSecond, handledAfterMs: performance.now() - drainedAtMs, p99: { before, during } });
      expect(statusesOfAll(load)).toEqual(['200', '201']);
      expect(perSecond).toBeGreaterThan(perSecondMin);
      const { rows: records } = await world.database.query<{ steps: number[] }>(
        `select array_agg((after->>'step')::int order by id) as steps from gateway.audit_entries where action = 'backlog.row' group by resource_id`,
      );
      expect(records).toHaveLength(backlogRecords);
      expect(records.filter(({ steps }) => steps.length !== rows / backlogRecords || steps.some((step, n) => step !== n))).toEqual([]);
    },
    startMs * 10,
  );

  async function count(table: string, where: string): Promise<number> {
    return (await world.database.query(`select count(*)::int as n from ${table} where ${where}`)).rows[0].n;
  }
});
