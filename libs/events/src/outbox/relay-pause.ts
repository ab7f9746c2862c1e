/**
 * Pauses every relay of a database, for a backup: while the lock is held no row leaves an outbox, and a batch that is being sent stays.
 * It ends with the session.
 */
import type pg from 'pg';

const lock = `hashtext('relays')`;

/** A condition of a statement on an outbox; evaluated once, and its lock is held until the statement has committed. */
export const notPaused = `(select pg_try_advisory_xact_lock_shared(${lock}))`;

export async function pauseRelays(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(${lock})`);
}

export async function resumeRelays(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${lock})`);
}
