/** One run: load, faults, recovery, wait until idle, check. */
import { setTimeout as wait } from 'node:timers/promises';
import { withClient } from '@store/testbed/with-client';
import { check } from './check.ts';
import { collect, unsettled } from './collect.ts';
import { startDrawers } from './drawer-load.ts';
import { injectFaults, type Pace, planFaults, type Target } from './faults.ts';
import type { History, Violation } from './history.ts';
import { startKeyLoad } from './key-load.ts';
import { startLoad } from './load.ts';
import { startTillLoad } from './till-load.ts';
import { type ChaosWorld, openChaosWorld, type WorldOptions } from './world.ts';

export interface RunOptions extends WorldOptions {
  seed: number;
  faults: number;
  /** The load runs at least this long; otherwise as long as the faults do. */
  seconds: number;
  /** Writes per second. */
  rate: number;
  pace: Pace;
  /** Names of the targets of faults; absent: all. */
  targets?: string[] | undefined;
  /** Tills of each store. */
  tills: number;
  /** How long nothing may get less before all is at rest. */
  restMaxMs: number;
  /** Ends the run early, and all of its processes. */
  signal: AbortSignal;
  /** Called with the result while the processes still run; they end when it resolves. */
  judged?: (result: RunResult) => Promise<void>;
}

export interface RunResult {
  history: History;
  violations: Violation[];
  /** Writes that were begun per second. */
  writesPerSecond: number;
  /** From the end of the last fault until everything was idle. */
  settledMs: number;
}

const products = 100;
const warmUpMs = 1_000;

export async function runChaos(options: RunOptions): Promise<RunResult> {
  const { seed, faults, log, judged, signal, restMaxMs } = options;
  log(`Seed ${seed}: ${faults} faults`);
  const world = await openChaosWorld(options);
  try {
    signal.throwIfAborted();
    const { loadedMs, ...done } = await loadUnderFaults(world, options);
    const { writes, tillRequests } = done;
    const healedAt = performance.now();
    log(`${writes.length} writes and ${tillRequests.length} at tills in ${Math.round(loadedMs / 1_000)} s; waiting until all is at rest`);
    // A new connection: the world's own was lost with PostgreSQL.
    return await withClient(world.fleet.databaseUrl, async (judge) => {
      const moving = await unsettled(world, judge, { withinMs: restMaxMs, log, signal });
      const settledMs = performance.now() - healedAt;
      log(`At rest after ${(settledMs / 1_000).toFixed(1)} s; judging`);
      const history = await collect(world, judge, { ...done, unsettled: moving });
      const result = { history, violations: check(history), settledMs, writesPerSecond: (writes.length * 1_000) / loadedMs };
      await judged?.(result);
      return result;
    });
  } finally {
    // A frozen process does not react to SIGTERM.
    for (const target of world.targets) {
      target.network?.heal();
      target.thaw();
    }
    await world.close();
  }
}

async function loadUnderFaults(
  world: ChaosWorld,
  { seed, faults, seconds, rate, pace, targets, tills, log, signal }: RunOptions,
): Promise<Pick<History, 'writes' | 'tillRequests' | 'lives'> & { loadedMs: number }> {
  const suffering = targets?.map((wanted) => targetOf(world, wanted)) ?? world.targets;
  const load = await startLoad(world, { seed, rate, products });
  const startedAt = performance.now();
  const { api } = world.load;
  const atTills = startTillLoad({ api, stores: world.tillStores, seed, tills });
  const { token, password } = world.fleet;
  const { url, script } = world.passing;
  const keys = startKeyLoad({ api, token, password, url, events: script.events, seed });
  const drawers = startDrawers({ api, tokens: world.tokens, seed });
  try {
    await wait(warmUpMs, undefined, { signal });
    await injectFaults(planFaults(seed, faults, suffering, pace), suffering, { log, signal });
    await wait(Math.max(warmUpMs, startedAt + seconds * 1_000 - performance.now()), undefined, { signal });
  } finally {
    await Promise.all([load.stop(), atTills.stop(), keys.stop(), drawers.stop()]);
  }
  if (load.skipped > 0) log(`${load.skipped} writes were not begun, as too many were under way`);
  const loadedMs = performance.now() - startedAt;
  return { writes: load.writes, tillRequests: atTills.tillRequests, lives: keys.lives, loadedMs };
}

function targetOf({ targets }: ChaosWorld, wanted: string): Target {
  const found = targets.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no ${wanted}: ${targets.map(({ name }) => name).join(', ')}`);
  return found;
}
