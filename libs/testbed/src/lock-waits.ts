import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@store/db';

const lookEveryMs = 10;

/**
 * Resolves once so many transactions of this database wait for a lock, or `work` has ended without that; a test that never gets there ends
 * by its time limit.
 */
export async function lockWaits(db: Pick<Db, 'read'>, transactions: number, work?: Promise<unknown>): Promise<void> {
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
  };
  work?.then(end, end);
  // Where there is a cluster, a row's lock is waited for on a worker.
  const [on] = await db.read<{ view: string | null }>("select to_regclass('citus_stat_activity')::text as view");
  const text = `select 1 from ${on!.view ?? 'pg_stat_activity'} where datname = current_database() and wait_event_type = 'Lock'`;
  while (!hasEnded && (await db.read(text)).length < transactions) await wait(lookEveryMs);
}
