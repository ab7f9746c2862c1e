/** A moment at which a backup loses and repeats no event: everything that has left an outbox is handled by every consumer. */
import { setTimeout as wait } from 'node:timers/promises';
import { closeSession, newSession } from '@store/db';
import { pauseRelays, resumeRelays } from '@store/events';
import type pg from 'pg';
import { BadConfig } from './config.ts';

export interface Moment {
  /** For `pg_dump --snapshot`, as long as the work lasts. */
  snapshot: string;
  /** The position up to which a base backup is recovered. */
  lsn: string;
  /** How long events had to wait for it. */
  waitedMs: number;
}

interface MomentOptions {
  url: string;
  /** How many published events are not handled yet, by consumer group; of those that have handled all, nothing. */
  behind(): Promise<Record<string, number>>;
  withinMs: number;
}

const pollMs = 100;

/** Events wait in their outboxes until the moment is found; requests are answered meanwhile, and both go on during the work. */
export async function atBackupMoment<T>(options: MomentOptions, work: (moment: Moment) => Promise<T>): Promise<T> {
  const client = newSession({ url: options.url, applicationName: 'store-backup' });
  // The statement after it says so.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(await findMoment(client, options));
  } finally {
    await closeSession(client);
  }
}

async function findMoment(client: pg.Client, { behind, withinMs }: MomentOptions): Promise<Moment> {
  // Asked once before: where Kafka does not answer, no event has waited for it.
  await behind();
  await pauseRelays(client);
  const startedAt = performance.now();
  try {
    const giveUpAt = startedAt + withinMs;
    for (let left = Object.entries(await behind()); left.length > 0; left = Object.entries(await behind())) {
      if (performance.now() > giveUpAt) {
        const groups = left.map(([group, events]) => `${group} has ${events} left`).join(', ');
        throw new BadConfig(`Not all events are handled within ${withinMs / 1_000} s: ${groups}.`);
      }
      await wait(pollMs);
    }
    // The work has no time limit.
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<Moment>('select pg_export_snapshot() as snapshot, pg_current_wal_insert_lsn()::text as lsn');
    return { ...rows[0]!, waitedMs: performance.now() - startedAt };
  } finally {
    await resumeRelays(client);
  }
}
