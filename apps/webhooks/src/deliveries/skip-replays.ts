/** Ends pending replays. Text: one statement over two sets of rows. */
import { type EntityManager, sql } from '@store/db';

/** They end as skipped, and the first delivery of each record that was held behind them alone is released. */
export async function skipReplays(em: EntityManager, subscriptionIds: number[], now: Date): Promise<void> {
  if (subscriptionIds.length === 0) return;
  await sql(
    em,
    `with skipped as (
       update webhooks.deliveries set state = 'skipped', held = false, first_pending = false, ended_at = $2
       where subscription_id = any($1::bigint[]) and manual and state = 'pending' returning subscription_id, record
     )
     update webhooks.deliveries d set held = false
     from (select distinct subscription_id, record from skipped) lane cross join lateral (
       select h.id from webhooks.deliveries h
       where h.subscription_id = lane.subscription_id and h.record = lane.record and h.held and not h.manual order by h.id limit 1) next
     where d.id = next.id and not exists (
       select from webhooks.deliveries f
       where f.subscription_id = lane.subscription_id and f.record = lane.record and f.first_pending and not f.held
         and not (f.manual and f.state = 'pending'))`,
    [subscriptionIds, now],
  );
}
