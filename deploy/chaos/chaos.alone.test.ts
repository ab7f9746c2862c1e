/**
 * A short run of `npm run chaos`: whatever is killed (-9) or frozen under load, nothing acknowledged is
 * lost, nothing is invented, altered, doubled or out of its record's order (P1 to P4, P13). It takes a minute and a half and
 * ends every process many times, so it runs when it is asked for: CHAOS_SEED=1849 npm test -- chaos.
 */
import { expect, test } from '@jest/globals';
import { describeWithKafka, describeWithRedis } from '@store/testbed';
import { planFaults, quickPace } from './faults.ts';
import { runChaos } from './run.ts';

/** 1849 kills webhooks, PostgreSQL, Kafka and catalog and freezes both gateways. */
const seed = Number(process.env.CHAOS_SEED);
const faults = 6;
const rate = 50;
const runMaxMs = 180_000;

test('a seed plans the same faults every time, and another seed others', () => {
  const targets = ['catalog', 'kafka', 'postgres'];
  expect(planFaults(1, 50, targets)).toEqual(planFaults(1, 50, targets));
  expect(planFaults(1, 50, targets)).not.toEqual(planFaults(2, 50, targets));
});

if (process.env.CHAOS_SEED) {
  describeWithKafka('one process per app', () =>
    describeWithRedis('on servers of their own', () => {
      test(
        `seed ${seed}: ${faults} faults under ${rate} writes/s break no rule`,
        async () => {
          const lines: string[] = [];
          const { history, violations } = await runChaos({ seed, faults, rate, pace: quickPace, log: (line) => void lines.push(line) });
          if (violations.length > 0)
            console.error(
              [...lines, `To repeat it: npm run chaos -- --seed ${seed} --faults ${faults} --rate ${rate} --quick --keep`].join('\n'),
            );
          expect(violations).toEqual([]);
          // A run in which nothing happened would prove nothing.
          expect(history.writes.filter(({ result }) => result === 'ok').length).toBeGreaterThan(100);
          expect(history.receivers.find(({ name }) => name === 'healthy')!.arrivals.length).toBeGreaterThan(100);
        },
        runMaxMs,
      );
    }),
  );
}
