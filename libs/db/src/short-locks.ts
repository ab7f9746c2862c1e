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
/** A lock that did not come in time, and a deadlock: of each nothing is left. */
const gaveWay = ['55P03', '40P01'];
const tookTooLong = '57014';

/** Not 57014 itself, with which an operator ends what follows. */
class NotLocked extends Error {}

/** Runs `work` until it had its locks in time. */
export async function retried(work: () => Promise<void>, againAfterMs = againAfterDefaultMs): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotLocked) && !gaveWay.includes(sqlState(error) ?? '')) throw error;
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
    // A connection that is lost has nothing to take back.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Stops writes of these tables until the commit. Those of the first stop while the last is waited for, so all have one time limit. */
export async function lockWrites(client: pg.Client, tables: string[]): Promise<void> {
  await client.query(`set local statement_timeout = ${allLocksTimeoutMs}`);
  await client.query(`lock table ${tables.join(', ')} in exclusive mode`).catch((error: unknown) => {
    throw sqlState(error) === tookTooLong ? new NotLocked('many tables could not be locked in time', { cause: error }) : error;
  });
  // What follows takes as long as it needs.
  await client.query('set local statement_timeout = 0; set local lock_timeout = 0');
}
