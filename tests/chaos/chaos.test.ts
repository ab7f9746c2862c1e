/**
 * A short run of `npm run chaos`: whatever is killed (-9), frozen or cut off under load, no acknowledged change is
 * lost, and no event is invented, altered, duplicated or out of its record's order (P1 to P4, P13). CHAOS_SEED and
 * CHAOS_FAULTS select another run.
 */
import { expect, test } from '@jest/globals';
import { describeWithKafka, describeWithRedis } from '@store/testbed';
import { timedLog } from '../kit/command.ts';
import type { TcpProxy } from '../kit/tcp-proxy.ts';
import { planFaults, quickPace } from './faults.ts';
import { runChaos } from './run.ts';

/** 767 kills both webhooks, PostgreSQL and Kafka, and sets catalog's clock. */
const seed = Number(process.env.CHAOS_SEED || 767);
/** Each gets one fault, which the seed chooses. */
const targets = ['webhooks', 'catalog', 'postgres', 'kafka', 'webhooks-2'];
const faults = Number(process.env.CHAOS_FAULTS || targets.length);
const rate = 20;
/** The load lasts at least this long, however short the faults are. */
const seconds = 8;
/** Their tills share cards and credit; the register has two processes where its name can have two addresses. */
const [stores, tills] = [2, 2];
const twice = process.platform === 'linux' ? ['sales'] : [];
/** Half a minute at this rate never reaches a limit. */
const keys = 16;
/** How long nothing may get less, on a machine under other load. */
const restMaxMs = 100_000;
/** Only a run that hangs takes so long: one of a slow machine is waited for as long as it gets on. */
const abortAfterMs = 600_000;
/** Longer than the run: an aborted run still ends its processes. */
const runMaxMs = abortAfterMs + 60_000;

test('a seed plans the same faults each time; each target has one before any has two', () => {
  const network = {} as TcpProxy;
  const these = [{ name: 'catalog', jump: () => undefined }, { name: 'kafka', network }, { name: 'webhooks' }];
  expect(planFaults(1, 50, these)).toEqual(planFaults(1, 50, these));
  expect(planFaults(1, 50, these)).not.toEqual(planFaults(2, 50, these));
  const plan = planFaults(1, 300, these);
  for (let n = 0; n < plan.length; n += 3) expect(new Set(plan.slice(n, n + 3).map(({ target }) => target)).size).toBe(3);
  const kinds = (name: string) => [...new Set(plan.filter(({ target }) => target === name).map(({ kind }) => kind))].sort();
  expect(kinds('catalog')).toEqual(['jump', 'kill', 'stop']);
  expect(kinds('webhooks')).toEqual(['kill', 'stop']);
  expect(kinds('kafka')).toEqual(['drop', 'freeze', 'kill', 'mute', 'slow', 'stop']);
});

describeWithKafka('one process per app', () =>
  describeWithRedis('on servers of their own', () => {
    test(
      `seed ${seed}: ${faults} faults under ${rate} writes/s break no rule`,
      async () => {
        const lines: string[] = [];
        const log = timedLog((line) => void lines.push(line));
        const flags = `--stores ${stores} --targets ${targets} --clocks --quick --keep`;
        const repeat = `--seed ${seed} --faults ${faults} --rate ${rate} --seconds ${seconds} ${flags}`;
        const run = runChaos({
          ...{ seed, faults, rate, seconds, targets, keys, stores, tills, twice, restMaxMs, pace: quickPace, clocks: true, log },
          brokers: 1,
          signal: AbortSignal.timeout(abortAfterMs),
        });
        const { history, violations } = await run.finally(() => process.env.FAULT_REPORT && console.error(lines.join('\n')));
        if (violations.length > 0) console.error([...lines, `To repeat it: npm run chaos -- ${repeat}`].join('\n'));
        expect(violations).toEqual([]);
        // A slow machine does little in this time; that nothing happened would hide all else.
        expect(history.writes.filter(({ result }) => result === 'ok').length).toBeGreaterThan(0);
        expect(history.tillRequests.length).toBeGreaterThan(0);
        expect(history.lives.flatMap(({ looks }) => looks).length).toBeGreaterThan(0);
        expect(history.receivers.find(({ name }) => name === 'healthy')!.arrivals.length).toBeGreaterThan(0);
      },
      runMaxMs,
    );
  }),
);
