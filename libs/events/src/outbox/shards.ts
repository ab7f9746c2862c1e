/** The relay's list of a backlog where the outbox is distributed by store: Citus refuses the recursive statement of one server. */
import type { AskOne } from '@store/db';

/**
 * The oldest ids of each store but those of `sent`, in the order and with the marks of `inTurn`. Every shard is asked at once and reads
 * its index of the whole backlog.
 */
export async function idsOfAllShards(
  ask: AskOne,
  schema: string,
  limit: number,
  sent: string[],
): Promise<{ id: string; is_last: boolean }[]> {
  const { rows } = await ask({ name: 'relay-stores', text: `select count(distinct store_id)::int as stores from ${schema}.outbox` });
  const share = Math.max(1, Math.floor(limit / Math.max(1, rows[0].stores)));
  const text = `
    select id::text, turn = $1 as is_last from (
      select id, row_number() over (partition by store_id order by id) as turn from ${schema}.outbox where id <> all ($2::bigint[])) o
    where turn <= $1 order by turn, o.id`;
  return (await ask({ name: 'relay-shards', text, values: [share, sent] })).rows;
}
