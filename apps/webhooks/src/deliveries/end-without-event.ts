/** Ends claimed deliveries whose event the log no longer has. Text: one statement over two sets of rows. */
import { type EntityManager, sql } from '@store/db';

/** Ends them as skipped, and releases deliveries held behind them; otherwise they are claimed again after each lease. */
export async function endWithoutEvent(em: EntityManager, ids: number[], now: Date): Promise<void> {
  await sql(
    em,
    `with gone as (
       select d.id, d.subscription_id, d.record, d.first_pending from webhooks.deliveries d where d.id = any($1::bigint[])
     ), ended as (
       update webhooks.deliveries d set state = 'skipped', first_pending = false, ended_at = $2, lease_until = null, lease_token = null
       from gone where d.id = gone.id
     )
     update webhooks.deliveries d set held = false
     from gone cross join lateral (
       select h.id from webhooks.deliveries h
       where h.subscription_id = gone.subscription_id and h.record = gone.record and h.held order by h.id limit 1) next
     where d.id = next.id and gone.first_pending`,
    [ids, now],
  );
}
