/** The relay's statements on an outbox, and the message of a row. */
import { type AskOne, isoTime, type Placement } from '@store/db';
import type pg from 'pg';
import { insertLetter, letterValues } from '../consume/dead-letters.ts';
import type { ActorRecord, Internal, Message } from '../message.ts';
import { idsOfAllShards } from './shards.ts';

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

/** A schema's outbox, over the relay's session. */
export interface Waiting {
  ask: AskOne;
  schema: string;
  placement: Placement;
}

/**
 * Pauses every relay of a database, for a backup: while the lock is held no row leaves an outbox, and a batch that is being sent stays.
 * It ends with the session.
 */
const lock = `hashtext('relays')`;

/** A condition of a statement on an outbox; evaluated once, and its lock is held until the statement has committed. */
const notPaused = `(select pg_try_advisory_xact_lock_shared(${lock}))`;

export async function pauseRelays(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock(${lock})`);
}

export async function resumeRelays(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${lock})`);
}

const rowColumns = 'id::text, event_id::text, store_id::text, name, aggregate, public, internal, actor, request_id, created_at::text';

/** The oldest rows, not those after a watermark: it would skip rows that commit late. */
export async function oldestRows({ ask, schema }: Waiting, limit: number): Promise<OutboxRow[]> {
  const text = `select ${rowColumns} from ${schema}.outbox where ${notPaused} order by outbox.id limit $1`;
  return (await ask({ name: 'relay-oldest', text, values: [limit] })).rows;
}

/**
 * The oldest ids of each store but those of `sent`: the first of each store, then the second of each, about `limit` together, and at
 * least one of each. `is_last`: the store has had as many as it gets, and more of its rows may wait. `between`, not `=`: with that
 * PostgreSQL may take the index of ids alone for one in the right order, and read all rows of other stores.
 */
const inTurn = (schema: string) => `
  with recursive waiting as (
    (select store_id from ${schema}.outbox order by store_id limit 1)
    union all
    select (select o.store_id from ${schema}.outbox o where o.store_id > w.store_id order by o.store_id limit 1)
    from waiting w where w.store_id is not null
  ), share as (
    select greatest(1, $1 / greatest(1, count(store_id))) as rows from waiting
  )
  select o.id::text, o.turn = (select rows from share) as is_last
  from waiting w cross join lateral (
    select id, row_number() over (order by id) as turn
    from (
      select id from ${schema}.outbox
      where store_id between w.store_id and w.store_id and id not in (select sent from unnest($2::bigint[]) as sent)
      order by store_id, id limit (select rows from share)
    ) oldest
  ) o
  order by o.turn, o.id`;

async function idsInTurn({ ask, schema, placement }: Waiting, limit: number, sent: string[]): Promise<{ id: string; is_last: boolean }[]> {
  if (placement === 'stores') return idsOfAllShards(ask, schema, limit, sent);
  return (await ask({ name: 'relay-turns', text: inTurn(schema), values: [limit, sent] })).rows;
}

/** These rows, in the order of their ids. */
async function rowsOf({ ask, schema }: Waiting, ids: string[]): Promise<OutboxRow[]> {
  const text = `select ${rowColumns} from ${schema}.outbox where id = any ($1::bigint[]) and ${notPaused} order by outbox.id`;
  return (await ask({ name: 'relay-rows', text, values: [ids] })).rows;
}

/** Batches whose ids are read at once. A store that commits meanwhile has its turn in the next list. */
const listBatches = 16;

/**
 * Reads a backlog batch by batch, store by store in turn (D258), each store's rows in the order of their ids; empty when none waited.
 * By a list of ids: deleted rows stay in the index until a vacuum, and reading from the start would scan them again.
 */
export function batchesInTurn(outbox: Waiting, batchMax: number): (underWay: OutboxRow[]) => Promise<OutboxRow[]> {
  let listed: string[] = [];
  /** No row waited beyond the list. */
  let isAll = false;
  return async (underWay) => {
    if (listed.length < batchMax && !isAll) {
      const sent = underWay.map(({ id }) => id);
      // Always from each store's oldest row: ids commit out of order, so there is none to go on from.
      const turns = await idsInTurn(outbox, listBatches * batchMax, sent);
      listed = turns.map(({ id }) => id);
      isAll = turns.every(({ is_last }) => !is_last);
    }
    return listed.length === 0 ? [] : rowsOf(outbox, listed.splice(0, batchMax));
  };
}

export async function deleteRows({ ask, schema, placement }: Waiting, rows: OutboxRow[]): Promise<void> {
  const text = `delete from ${schema}.outbox where id = any($1::bigint[]) and ${notPaused}`;
  const ids = rows.map((row) => row.id);
  if (placement !== 'stores') return void (await ask({ name: 'relay-delete', text, values: [ids] }));
  // Unnamed, so that it is planned for these stores: Citus then asks their shards alone.
  await ask({ text: `${text} and store_id = any($2::bigint[])`, values: [ids, [...new Set(rows.map((row) => row.store_id))]] });
}

/**
 * Moves a row that no broker accepts to dead_letters, so that later rows are not blocked. The letter first, which a repetition only
 * replaces: no statement writes both where dead_letters and outbox lie on two servers.
 */
export async function setAside({ ask, schema }: Waiting, row: OutboxRow, error: unknown): Promise<void> {
  await ask({ text: insertLetter(schema), values: letterValues(messageOf(schema, row), error) });
  await ask({ text: `delete from ${schema}.outbox where store_id = $1 and id = $2`, values: [row.store_id, row.id] });
}

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
