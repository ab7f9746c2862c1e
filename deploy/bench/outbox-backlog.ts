/** A backlog as an outage of Kafka leaves it: events of the usual size, with their audit part. */
import type pg from 'pg';

/** Records that the rows tell of, by turns; each row says in its name which of its record's rows it is. */
export const backlogRecords = 500;

export async function fillOutbox(database: pg.Client, storeId: number, rows: number): Promise<void> {
  await database.query(
    `insert into catalog.outbox (event_id, store_id, name, aggregate, public, internal, actor, request_id, created_at)
     select gen_random_uuid(), $1, 'backlog.' || n / $3, n % $3, convert_to('{"data":"' || repeat('x', 600) || '"}', 'UTF8'),
            jsonb_build_object('audit', jsonb_build_object('action', 'backlog.row', 'resource_type', 'Backlog', 'resource_id', n % $3,
              'before', null, 'after', jsonb_build_object('step', n / $3), 'ip', '127.0.0.1')),
            '{"type":"system","key":null,"user":null}', 'backlog', clock_timestamp()
     from generate_series(0, $2::int - 1) n order by n`,
    [storeId, rows, backlogRecords],
  );
}
