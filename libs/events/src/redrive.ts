/** Sends dead letters round again, once what kept them from being handled is mended. */
import type pg from 'pg';
import type { KeptMessage } from './dead-letters.ts';

export interface Redriven {
  /** Messages that are on their way again. */
  sent: number;
  /** Messages that could not be read in the first place: only their bytes are kept. */
  unreadable: number;
}

/**
 * Puts the dead letters of `schema` (one of them, or all that were not sent before) back into the
 * outbox they came from. The relay publishes them under their old ids: whoever has handled them
 * drops them, and the consumer that has not handles them now.
 */
export async function redrive(client: pg.Client, schema: string, id?: number): Promise<Redriven> {
  await client.query('begin');
  try {
    const { rows } = await client.query<{ id: string; message: KeptMessage }>(
      `select id, message from ${client.escapeIdentifier(schema)}.dead_letters
       where redriven_at is null and ($1::bigint is null or id = $1) order by id for update`,
      [id ?? null],
    );
    const readable = rows.filter(({ message }) => !message.unreadable);
    for (const { id: letter, message } of readable) {
      await putBack(client, message);
      await client.query(`update ${client.escapeIdentifier(schema)}.dead_letters set redriven_at = clock_timestamp() where id = $1`, [
        letter,
      ]);
    }
    await client.query('commit');
    return { sent: readable.length, unreadable: rows.length - readable.length };
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function putBack(client: pg.Client, message: KeptMessage): Promise<void> {
  const owner = message.topic.replace(/\.events$/, '');
  await client.query(
    `insert into ${client.escapeIdentifier(owner)}.outbox (event_id, store_id, name, aggregate, public, internal, actor, request_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
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
}
