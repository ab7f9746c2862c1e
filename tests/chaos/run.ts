/** One run: load, faults, recovery, wait until idle, check. */
import { setTimeout as wait } from 'node:timers/promises';
import { withClient } from '@store/testbed/with-client';
import { check } from './check.ts';
import { collect, unsettled } from './collect.ts';
import { startDrawers } from './drawer-load.ts';
import { injectFaults, type Pace, planFaults, type Target } from './faults.ts';
import type { History, Violation, Write } from './history.ts';
import type { KeyLife } from './key-life.ts';
import { startKeyLoad } from './key-load.ts';
import { makeProducts, makeRegulars, type Product, startLoad } from './load.ts';
import type { Brokers } from './servers.ts';
import { startTillLoad } from './till-load.ts';
import type { TillRequest } from './till-request.ts';
import { type ChaosWorld, openChaosWorld, type WorldOptions } from './world.ts';

export interface RunOptions {
  seed: number;
  faults: number;
  /** The load runs at least this long; otherwise as long as the faults do. */
  seconds?: number;
  /** Writes per second. */
  rate: number;
  pace: Pace;
  /** Names of the targets of faults; absent: all. */
  targets?: string[];
  /** API keys that the load uses. */
  keys?: number;
  /** Kafka's brokers; one when absent. */
  brokers?: Brokers;
  /** Stores with tills that share cards and credit. */
  stores?: number;
  /** Tills of each of these stores. */
  tills?: number;
  /** Services with two processes that are both called. */
  twice?: string[];
  pooler?: WorldOptions['pooler'];
  /** Faults also set the wall clocks of processes. */
  clocks?: boolean;
  /** How long nothing may get less before all is at rest. */
  restMaxMs?: number;
  log: (line: string) => void;
  /** Ends the run early, and all of its processes. */
  signal?: AbortSignal;
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
const keysDefault = 80;
const tillsDefault = 3;
const restMaxDefaultMs = 60_000;

export async function runChaos(options: RunOptions): Promise<RunResult> {
  const { seed, faults, log, judged, signal, keys = keysDefault, restMaxMs = restMaxDefaultMs, brokers = 1, clocks = false } = options;
  const { stores = 1, twice = [], pooler } = options;
  log(`Seed ${seed}: ${faults} faults`);
  const world = await openChaosWorld({ keys, brokers, clocks, stores, twice, pooler, log });
  try {
    signal?.throwIfAborted();
    const { writes, tillRequests, lives, loadedMs } = await loadUnderFaults(world, options);
    const healedAt = performance.now();
    log(`${writes.length} writes and ${tillRequests.length} at tills in ${Math.round(loadedMs / 1_000)} s; waiting until all is at rest`);
    // A new connection: the world's own was lost with PostgreSQL.
    return await withClient(world.fleet.databaseUrl, async (judge) => {
      const moving = await unsettled(world, judge, { withinMs: restMaxMs, log, signal });
      const settledMs = performance.now() - healedAt;
      log(`At rest after ${(settledMs / 1_000).toFixed(1)} s; judging`);
      const history = { ...(await collect(world, judge, { writes, tillRequests, lives })), unsettled: moving };
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
  { seed, faults, seconds = 0, rate, pace, targets, tills = tillsDefault, log, signal }: RunOptions,
): Promise<{ writes: Write[]; tillRequests: TillRequest[]; lives: KeyLife[]; loadedMs: number }> {
  const first = await makeProducts(world.load, products);
  const { rows } = await world.fleet.database.query<Product>(
    "select id::int, sku from catalog.products where sku like 'chaos-%' order by id",
  );
  const regulars = await makeRegulars(world.load);
  const suffering = targets?.map((wanted) => targetOf(world, wanted)) ?? world.targets;
  const startedAt = performance.now();
  const load = startLoad(world.load, { seed, rate, products: rows, regulars });
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
  return {
    writes: [first, ...load.writes],
    tillRequests: atTills.tillRequests,
    lives: keys.lives,
    loadedMs: performance.now() - startedAt,
  };
}

function targetOf({ targets }: ChaosWorld, wanted: string): Target {
  const found = targets.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no ${wanted}: ${targets.map(({ name }) => name).join(', ')}`);
  return found;
}
