/**
 * A rolling update under load (P20): every process is replaced in turn through two gateways, by a version whose
 * migrations change every table, beside a dump, and catalog back again. `npm run rolling` is the long run.
 */
import { describe, expect, test } from '@jest/globals';
import { describeWithKafka, describeWithRedis } from '@store/testbed';
import { timedLog } from '../kit/command.ts';
import { type RollingResult, runRolling } from './run-rolling.ts';

const rate = 12;
/** Part of the requests: more than usual, as this load is small. */
const writes = 0.4;
const rows = 50_000;
/** Seven apps, the second gateway and the relay; then catalog once more. */
const restarts = 10;
/** A run with less activity would prove little. */
const requestsMin = 100;
/** Of seven apps. */
const tablesMin = 60;
/** For a machine under other load; an idle one finishes in a quarter of that. */
const restMaxMs = 100_000;
const abortAfterMs = 900_000;
const runMaxMs = abortAfterMs + 60_000;

// Each process has an address of its own, and only Linux has all of 127.0.0.0/8.
const isLinux = process.platform === 'linux';
const describeOnLinux = isLinux ? describe : describe.skip;

describeOnLinux(`a rolling update${isLinux ? '' : ' (skipped: only Linux has the addresses)'}`, () =>
  describeWithKafka('of one process per app', () =>
    describeWithRedis('and two gateways', () => {
      test(
        `replaced ${restarts} times under ${rate}/s: none fails, none is lost or doubled`,
        async () => {
          const lines: string[] = [];
          const log = timedLog((line) => void lines.push(line));
          const signal = AbortSignal.timeout(abortAfterMs);
          const options = { seed: 20, rounds: 1, rate, writes, keys: 16, rows, notReadyMs: 1_000, restMaxMs, log, signal };
          const run: RollingResult = await runRolling(options).finally(() => process.env.FAULT_REPORT && console.error(lines.join('\n')));
          if (run.violations.length + run.failures.length > 0) console.error(lines.join('\n'));
          expect(run.failures).toEqual([]);
          expect(run.violations).toEqual([]);
          expect(run.rolled).toHaveLength(restarts);
          expect(run.widened).toBeGreaterThan(tablesMin);
          expect(run.requests).toBeGreaterThan(requestsMin);
        },
        runMaxMs,
      );
    }),
  ),
);
