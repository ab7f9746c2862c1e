/** Rows of catalog's outbox, committed as a service does, and those that wait in any. */
import { appNames } from '@store/contract';
import type pg from 'pg';

/** Records that a backlog is about, in turn; the audit part of each row holds its number within its record. */
export const backlogRecords = 500;

interface OutboxRows {
  /** In turn. */
  storeIds: number[];
  count: number;
  name: string;
  /** Length of the description in the body. */
  textLength?: number;
  /** Each has an audit entry of its number, with the action backlog.row. */
  audited?: boolean;
}

/** Then sends the notification that a service sends after its commit. */
export async function addOutboxRows(
  database: pg.Client,
  { storeIds, count, name, textLength = 500, audited = false }: OutboxRows,
): Promise<void> {
  await database.query(
    `insert into catalog.outbox (event_id, store_id, name, aggregate, public, internal, actor, request_id, created_at)
     select e.id, ($1::bigint[])[1 + n % cardinality($1::bigint[])], $4, n % $3, convert_to(jsonb_build_object('id', e.id, 'event', $4::text,
         'resource_type', 'Product', 'resource_id', n % $3, 'created_at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'data', jsonb_build_object('id', n % $3, 'name', 'Product ' || n % $3, 'description', repeat('x', $5)))::text, 'UTF8'),
       case when $6 then jsonb_build_object('audit', jsonb_build_object('action', 'backlog.row', 'resource_type', 'Product', 'resource_id', n % $3,
         'before', null, 'after', jsonb_build_object('step', n / $3), 'ip', '127.0.0.1')) end,
       '{"type":"system","key":null,"user":null}', 'backlog', e.at
     from (select n, gen_random_uuid() as id, clock_timestamp() as at from generate_series(0, $2::int - 1) n) e order by n`,
    [storeIds, count, backlogRecords, name, textLength, audited],
  );
  await database.query(`select pg_notify('outbox_catalog', '')`);
}

/** The newest row is deleted last; a search for any row would scan all deleted ones. */
export const isOutboxEmpty = async (database: pg.Client): Promise<boolean> =>
  (await database.query('select 1 from catalog.outbox order by id desc limit 1')).rowCount === 0;

/** Events that have not been published yet. */
export async function outboxRows(database: pg.Client): Promise<number> {
  const counts = appNames.map((app) => `(select count(*) from ${app}.outbox)`).join(' + ');
  return Number((await database.query(`select ${counts} as rows`)).rows[0].rows);
}
