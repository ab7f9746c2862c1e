import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@store/db';

const lookEveryMs = 10;

/** Resolves once so many transactions of this database wait for a lock; a test that never gets there ends by its time limit. */
export async function lockWaits(db: Pick<Db, 'read'>, transactions: number): Promise<void> {
  const text = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await db.read(text)).length < transactions) await wait(lookEveryMs);
}
