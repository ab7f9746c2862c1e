/** The session over which a relay reads and deletes. */
import { askOf, askPlacement, closeSession, oneAtATime } from '@store/db';
import type pg from 'pg';
import type { Waiting } from './outbox-rows.ts';

/** The plan of a statement is kept: one that was made while the outbox was empty would read all of a backlog. */
const byIndex = 'set enable_seqscan = off; set enable_bitmapscan = off';
/**
 * A deletion that a crash of PostgreSQL undoes is an event that is published again, as after a crash of the relay: no batch
 * waits for the disk.
 */
const sessionSettings = `set timezone = 'UTC'; set synchronous_commit = off; ${byIndex}`;

/** Connects a new session, which then has the settings and hears the channel. It is closed where that fails. */
export async function connected(client: pg.Client, schema: string, channel: string): Promise<Waiting> {
  await client.connect();
  try {
    await client.query(`${sessionSettings}; listen ${channel}`);
    return { ask: oneAtATime(client), schema, placement: await askPlacement(askOf(client), schema) };
  } catch (error) {
    await closeSession(client).catch(() => undefined);
    throw error;
  }
}
