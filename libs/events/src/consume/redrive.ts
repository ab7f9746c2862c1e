/** Sends dead letters again, once the cause of their failure is fixed. */
import type pg from 'pg';
import { dayMs, retentionDaysDefault } from '../timing.ts';
import type { KeptMessage } from './dead-letters.ts';

interface Redriven {
  /** Messages that were put back into the outbox. */
  sent: number;
  /** Messages that were unreadable: only their bytes are kept. */
  unreadable: number;
  /** Ids of letters whose event is older than the retention. */
  tooOld: string[];
}

interface RedriveOptions {
  id?: number;
  retentionDays?: number;
}

/**
 * Puts dead letters of `schema` back into the outbox they came from, under their old ids: consumers that have handled them drop them. An
 * event older than the retention is not sent: its topic would keep it longer than inboxes remember its id.
 */
export async function redrive(client: pg.Client, schema: string, options: RedriveOptions = {}): Promise<Redriven> {
  const { id, retentionDays = retentionDaysDefault } = options;
  await client.query('begin');
  try {
    const { rows } = await client.query<{ id: string; now: Date; message: KeptMessage }>(
      `select id, clock_timestamp() as now, message from ${client.escapeIdentifier(schema)}.dead_letters
       where redriven_at is null and ($1::bigint is null or id = $1) order by id for update`,
      [id ?? null],
    );
    const readable = rows.filter(({ message }) => !message.unreadable);
    const isOld = ({ now, message }: (typeof rows)[number]) => now.getTime() - Date.parse(message.createdAt) > retentionDays * dayMs;
    const fresh = readable.filter((letter) => !isOld(letter));
    for (const { id: letter, message } of fresh) {
      await putBack(client, message);
      await client.query(`update ${client.escapeIdentifier(schema)}.dead_letters set redriven_at = now() where id = $1`, [letter]);
    }
    await client.query('commit');
    return { sent: fresh.length, unreadable: rows.length - readable.length, tooOld: readable.filter(isOld).map((letter) => letter.id) };
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Keeps the row's old number, which is the event's version, so that newer copies are not overwritten. */
async function putBack(client: pg.Client, message: KeptMessage): Promise<void> {
  const owner = message.topic.replace(/\.events$/, '');
  const outbox = `${client.escapeIdentifier(owner)}.outbox`;
  const version = message.version ?? null;
  await client.query(
    `insert into ${outbox} (id, event_id, store_id, name, aggregate, public, internal, actor, request_id, created_at)
     overriding system value
     values (coalesce($1, nextval(pg_get_serial_sequence($2, 'id'))), $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict do nothing`,
    [
      version,
      outbox,
      message.id,
      message.storeId,
      message.name,
      message.aggregate,
      message.public === null ? null : Buffer.from(message.public, 'base64'),
      message.internal && JSON.stringify(message.internal),
      JSON.stringify(message.actor),
      message.requestId,
      message.createdAt,
    ],
  );
  // Another app's dead letter of the same event may already have put it there.
  const { rowCount } = await client.query(`select from ${outbox} where store_id = $1 and event_id = $2`, [message.storeId, message.id]);
  if (rowCount === 0) throw new Error(`The outbox of ${owner} has another event under the number ${version}: let its relay carry it first`);
}
