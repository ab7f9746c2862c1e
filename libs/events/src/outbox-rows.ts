/** The relay's statements on an outbox, and the message of a row. */
import { type AskOne, isoTime } from '@store/db';
import { insertLetter, letterValues } from './dead-letters.ts';
import type { ActorRecord, Internal, Message } from './message.ts';
import { notPaused } from './relay-pause.ts';

export interface OutboxRow {
  id: string;
  event_id: string;
  store_id: string;
  name: string;
  aggregate: string;
  public: Buffer | null;
  internal: Internal | null;
  actor: ActorRecord;
  request_id: string;
  created_at: string;
}

const rowColumns = 'id::text, event_id::text, store_id::text, name, aggregate, public, internal, actor, request_id, created_at::text';

/** The oldest rows, not those after a watermark: it would skip rows that commit late. */
export async function oldestRows(ask: AskOne, schema: string, limit: number): Promise<OutboxRow[]> {
  const text = `select ${rowColumns} from ${schema}.outbox where ${notPaused} order by outbox.id limit $1`;
  return (await ask({ name: 'relay-oldest', text, values: [limit] })).rows;
}

/** The ids of the oldest rows. */
export async function oldestIds(ask: AskOne, schema: string, limit: number): Promise<string[]> {
  const text = `select id::text from ${schema}.outbox order by outbox.id limit $1`;
  return (await ask({ name: 'relay-ids', text, values: [limit] })).rows.map(({ id }) => id);
}

/** These rows, in the order of their ids. */
export async function rowsOf(ask: AskOne, schema: string, ids: string[]): Promise<OutboxRow[]> {
  const text = `select ${rowColumns} from ${schema}.outbox where id = any ($1::bigint[]) and ${notPaused} order by outbox.id`;
  return (await ask({ name: 'relay-rows', text, values: [ids] })).rows;
}

export async function deleteRows(ask: AskOne, schema: string, rows: OutboxRow[]): Promise<void> {
  const text = `delete from ${schema}.outbox where id = any($1::bigint[]) and ${notPaused}`;
  await ask({ name: 'relay-delete', text, values: [rows.map((row) => row.id)] });
}

/** Moves a row that no broker accepts to dead_letters, so that later rows are not blocked. */
export async function setAside(ask: AskOne, schema: string, row: OutboxRow, error: unknown): Promise<void> {
  const text = `with gone as (delete from ${schema}.outbox where id = $5) ${insertLetter(schema)}`;
  await ask({ name: 'relay-set-aside', text, values: [...letterValues(messageOf(schema, row), error), row.id] });
}

/** The message of a row. */
export function messageOf(schema: string, row: OutboxRow): Message {
  return {
    id: row.event_id,
    topic: `${schema}.events`,
    storeId: Number(row.store_id),
    name: row.name,
    aggregate: row.aggregate,
    public: row.public,
    internal: row.internal,
    actor: row.actor,
    requestId: row.request_id,
    createdAt: isoTime(row.created_at),
    // Assigned while the record's lock is held.
    version: Number(row.id),
  };
}
