/** Changes of tables that processes use: a change that cannot lock a table soon gives way, and is tried again. */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { CannotDistribute } from './citus.ts';
import { sqlState } from './pg/database-errors.ts';

/** Below deadlock_timeout: where this and a request wait for each other, this gives way. */
export const lockTimeoutMs = 500;
/** For the locks of many tables together. */
const allLocksTimeoutMs = 2_000;
const againAfterDefaultMs = 3_000;
/** About two minutes. */
const triesMax = 40;
/** A lock that did not come in time, many that did not, and a deadlock: of each nothing is left. */
const gaveWay = ['55P03', '57014', '40P01'];

/** Runs `work` until it had its locks in time. */
export async function retried(work: () => Promise<void>, againAfterMs = againAfterDefaultMs): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!gaveWay.includes(sqlState(error) ?? '')) throw error;
      if (tries === triesMax)
        throw new CannotDistribute(`Tables that others use could not be locked in ${triesMax} tries: run it again when less is written`, {
          cause: error,
        });
      await wait(againAfterMs);
    }
  }
}

/** A transaction with its own short wait for locks; what throws leaves nothing of it. */
export async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Stops writes of these tables until the commit. Those of the first stop while the last is waited for, so all have one time limit. */
export async function lockWrites(client: pg.Client, tables: string[]): Promise<void> {
  await client.query(`set local statement_timeout = ${allLocksTimeoutMs}`);
  await client.query(`lock table ${tables.join(', ')} in exclusive mode`);
  // What follows takes as long as it needs.
  await client.query('set local statement_timeout = 0; set local lock_timeout = 0');
}
