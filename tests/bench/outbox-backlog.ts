/**
 * A backlog like that after an outage of Kafka: events of the usual size, with their audit part, and with what each consumer reads of
 * a product: one that could not read them would try each by itself and store it as a dead letter.
 */
import type pg from 'pg';

/** Records that the rows are about, in turn; the audit part of each row holds its number within its record. */
export const backlogRecords = 500;

export async function fillOutbox(database: pg.Client, storeId: number, rows: number): Promise<void> {
  await database.query(
    `insert into catalog.outbox (event_id, store_id, name, aggregate, public, internal, actor, request_id, created_at)
     select e.id, $1, 'product.updated', n % $3, convert_to(jsonb_build_object('id', e.id, 'event', 'product.updated',
              'resource_type', 'Product', 'resource_id', n % $3, 'created_at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'data', jsonb_build_object('id', n % $3, 'name', 'Product ' || n % $3, 'description', repeat('x', 500)))::text, 'UTF8'),
            jsonb_build_object('audit', jsonb_build_object('action', 'backlog.row', 'resource_type', 'Product', 'resource_id', n % $3,
              'before', null, 'after', jsonb_build_object('step', n / $3), 'ip', '127.0.0.1')),
            '{"type":"system","key":null,"user":null}', 'backlog', e.at
     from (select n, gen_random_uuid() as id, clock_timestamp() as at from generate_series(0, $2::int - 1) n) e order by n`,
    [storeId, rows, backlogRecords],
  );
}
