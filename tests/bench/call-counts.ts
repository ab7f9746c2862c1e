/** What the measured processes did so far: calls as they count them (count-calls.ts), fsyncs as PostgreSQL does. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { repository } from '../../tools/local/data-dir.ts';
import type { CallCounts } from './count-calls.ts';

/** Per request, where the table prints it. */
export type Calls = CallCounts & { fsyncs: number };

export interface CallCounter {
  /** The environment that loads the counter into a process of Node. */
  env: Record<string, string>;
  /** The sum over the processes. */
  read(pids: number[], database: pg.Client): Promise<Calls>;
}

/** A relay waits for everything else on the machine. */
const answerMaxMs = 60_000;

export function openCallCounter(folder: string): CallCounter {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return {
    env: { CALL_COUNT_DIR: folder, NODE_OPTIONS: `--import ${path.join(repository, 'tests/bench/count-calls.ts')}` },
    read: async (pids, database) => {
      const each = await Promise.all(pids.map((pid) => countsOf(path.join(folder, String(pid)), pid)));
      const { rows } = await database.query(`select coalesce(sum(fsyncs), 0)::bigint::text as fsyncs from pg_stat_io where object = 'wal'`);
      const sum = { statements: 0, transactions: 0, calls: 0, produces: 0, offsetCommits: 0, fsyncs: Number(rows[0].fsyncs) };
      for (const counts of each) for (const [name, count] of Object.entries(counts)) sum[name as keyof CallCounts] += count;
      return sum;
    },
  };
}

async function countsOf(file: string, pid: number): Promise<CallCounts> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let waited = 0; !existsSync(file); waited += 5) {
    if (waited > answerMaxMs) throw new Error(`process ${pid} does not say what it counted`);
    await wait(5);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as CallCounts;
}

export function callsPerRequest(before: Calls, after: Calls, requests: number): Calls {
  return Object.fromEntries(
    Object.entries(after).map(([name, count]) => [name, (count - before[name as keyof Calls]) / requests]),
  ) as unknown as Calls;
}
