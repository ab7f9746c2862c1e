/** One run: load, every process replaced in turn, an upgrade of each app that changes its tables, and catalog's rollback, then the judgement. */
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { appNames } from '@store/contract';
import { withClient } from '@store/testbed/with-client';
import { check } from './check.ts';
import { collect, unsettled } from './collect.ts';
import { confirm, forgetOtherStores } from './earlier-release.ts';
import type { History, Violation } from './history.ts';
import { startLoad } from './load.ts';
import { startReads } from './read-load.ts';
import { type Rolled, roll } from './rolling.ts';
import { failuresOf, inOrder, openRollingWorld, type RollingOptions, type RollingWorld } from './rolling-world.ts';

export interface RollingRunOptions extends RollingOptions {
  seed: number;
  /** How often each process is replaced. */
  rounds: number;
  /** Requests per second. */
  rate: number;
  /** Part of the requests that change something. */
  writes: number;
  /** Of another store in the table of products, on which the next version builds an index. */
  rows: number;
  /** How long nothing may get less before all is at rest. */
  restMaxMs: number;
  log: (line: string) => void;
  signal: AbortSignal;
}

export interface RollingResult {
  history: History;
  violations: Violation[];
  failures: string[];
  /** Tables that the next version has changed. */
  widened: number;
  rolled: Rolled[];
  requests: number;
  /** Requests that were not begun, as too many were under way. */
  skipped: number;
  seconds: number;
}

const productsMin = 100;
/** Keeps it rare that two writes wait for the same product. */
const productsPerRequestRate = 2;
/** Of reads, and of writes: as many clients that wait for an answer before they ask again. On a machine that is too slow, the rate drops. */
const inFlightMax = 100;
const nextVersion = fileURLToPath(import.meta.resolve('./next-version.ts'));
/** Longer than a migration waits for its lock, so that one has to try again. */
const dumpMs = 4_000;

export async function runRolling(options: RollingRunOptions): Promise<RollingResult> {
  const { restMaxMs, from, log, signal } = options;
  log('Starting the processes');
  const world = await openRollingWorld(options);
  try {
    signal.throwIfAborted();
    const { writes, ...done } = await rollUnderLoad(world, options);
    const requests = [...world.answers.values()].reduce((sum, times) => sum + times, 0);
    log(`${requests} requests in ${done.seconds.toFixed(0)} s; waiting until all is at rest`);
    return await withClient(world.fleet.databaseUrl, async (judge) => {
      const moving = await unsettled(world, judge, { withinMs: restMaxMs, log, signal });
      const others = from ? await forgetOtherStores(judge, world.fleet.storeId) : [];
      if (from) await confirm(world);
      const history = await collect(world, judge, { writes, tillRequests: [], lives: [], unsettled: moving });
      const { rowCount } = await judge.query(`select from information_schema.columns where column_name = 'next_note'`);
      const violations = [...others, ...check(history)];
      return { history, violations, failures: failuresOf(world), widened: rowCount ?? 0, requests, ...done };
    });
  } finally {
    await world.close();
  }
}

async function rollUnderLoad(world: RollingWorld, { seed, rounds, rate, writes, rows, from, log, signal }: RollingRunOptions) {
  await plantProducts(world, rows);
  const products = Math.max(productsMin, rate * productsPerRequestRate);
  const load = await startLoad(world, { seed, rate: rate * writes, products, inFlightMax });
  const startedAt = performance.now();
  const reads = startReads(world.load, { seed, rate: rate * (1 - writes), products: load.products, inFlightMax });
  const rolled: Rolled[] = [];
  const one = async (member: Parameters<typeof roll>[1], version?: Parameters<typeof roll>[2]) => {
    signal.throwIfAborted();
    const done = await roll(world, member, version);
    rolled.push(done);
    log(`${done.name} replaced: ready after ${done.readyMs} ms, stopped within ${done.stopMs} ms`);
  };
  try {
    for (let round = 1; round <= rounds; round++) {
      // The new version migrates beside the old one; the old one comes back on the new schema with the next round, and catalog's at the end.
      for (const member of inOrder(world.fleet.fleet.members)) {
        const dump = isCatalog(member) ? dumpBeside(world) : undefined;
        await one(member, round === 1 && isService(member) && !from ? { file: nextVersion } : {});
        await dump;
      }
    }
    if (rounds === 1 && !from) await one(world.fleet.fleet.members.find(isCatalog)!);
  } finally {
    await Promise.all([load.stop(), reads.stop()]);
  }
  return { writes: load.writes, rolled, skipped: load.skipped + reads.skipped, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Without triggers, and deleted: they are there for the index alone. */
async function plantProducts({ fleet }: RollingWorld, count: number): Promise<void> {
  await withClient(fleet.databaseUrl, async (planter) => {
    await planter.query('set session_replication_role = replica');
    await planter.query(
      `insert into catalog.products (store_id, name, price, search_text, stock, stock_version, deleted_at, created_at, updated_at)
       select $1, 'Old ' || n, 1, 'old ' || n, 0, 0, now(), now(), now() from generate_series(1, $2::int) n`,
      [fleet.storeId + 1, count],
    );
  });
}

/** What a dump holds while it copies: a lock on every table that migrations change, and a snapshot. */
async function dumpBeside({ fleet }: RollingWorld): Promise<void> {
  await withClient(fleet.databaseUrl, async (dump) => {
    const { rows } = await dump.query<{ all: string }>(
      `select string_agg(format('%I.%I', schemaname, tablename), ', ') as all from pg_tables where schemaname = any ($1)`,
      [appNames],
    );
    await dump.query(`begin isolation level repeatable read, read only; lock table ${rows[0]!.all} in access share mode`);
    await wait(dumpMs);
  });
}

const isService = ({ name }: { name: string }) => !name.startsWith('relay');
const isCatalog = ({ name }: { name: string }) => name.startsWith('catalog');
