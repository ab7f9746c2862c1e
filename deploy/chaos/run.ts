/** One run: load, faults, heal, rest, judgement (reliability.md §1.1). */
import { setTimeout as wait } from 'node:timers/promises';
import { check } from './check.ts';
import { collect, openJudge, unsettled } from './collect.ts';
import { fullPace, injectFaults, type Pace, planFaults } from './faults.ts';
import type { History, Violation } from './history.ts';
import { makeProducts, startLoad } from './load.ts';
import { openChaosWorld } from './world.ts';

export interface RunOptions {
  seed: number;
  faults: number;
  /** The load goes on at least this long; otherwise as long as the faults do. */
  seconds?: number;
  /** Writes per second. */
  rate: number;
  pace?: Pace;
  log: (line: string) => void;
  /** Leaves the processes running when the run has ended, until this resolves. */
  keep?: (history: History) => Promise<void>;
}

export interface RunResult {
  history: History;
  violations: Violation[];
  /** Writes that were begun per second. */
  writesPerSecond: number;
  /** From the last fault's end until all was at rest. */
  settledMs: number;
}

const products = 100;
const warmUpMs = 1_000;
const settledWithinMs = 60_000;

export async function runChaos({ seed, faults, seconds = 0, rate, pace = fullPace, log, keep }: RunOptions): Promise<RunResult> {
  log(`Seed ${seed}: ${faults} faults`);
  const world = await openChaosWorld(log);
  try {
    const first = await makeProducts(world.load, products);
    const { rows } = await world.fleet.database.query<{ id: number; sku: string }>('select id::int, sku from catalog.products order by id');
    const plan = planFaults(
      seed,
      faults,
      world.targets.map(({ name }) => name),
      pace,
    );
    const startedAt = performance.now();
    const load = startLoad(world.load, { seed, rate, products: rows });
    await wait(warmUpMs);
    await injectFaults(plan, world.targets, log);
    await wait(Math.max(warmUpMs, startedAt + seconds * 1_000 - performance.now()));
    const loadedMs = performance.now() - startedAt;
    await load.stop();
    const healedAt = performance.now();
    log(`${load.writes.length} writes in ${Math.round(loadedMs / 1_000)} s; waiting until all is at rest`);
    const judge = await openJudge(world.fleet.databaseUrl);
    try {
      const moving = await unsettled(world, judge, settledWithinMs);
      const settledMs = performance.now() - healedAt;
      const history = { ...(await collect(world, judge, [first, ...load.writes])), unsettled: moving };
      const result = { history, violations: check(history), settledMs, writesPerSecond: (load.writes.length * 1_000) / loadedMs };
      await keep?.(history);
      return result;
    } finally {
      await judge.end();
    }
  } finally {
    await world.close();
  }
}
