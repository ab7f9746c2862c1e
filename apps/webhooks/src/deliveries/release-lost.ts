/** Leases that ran out: the process that held them died or was cut off, and its attempt was lost. */
import { sql } from '@store/db';
import { deliverable } from '../subscriptions/deliverable.ts';
import type { Webhooks } from '../webhooks.ts';

const batchMax = 1_000;

/**
 * Makes their deliveries due at once. The attempt is logged as lost (it may have reached the receiver)
 * and spends none of the five: the next one has its number (decision D150). What belongs to a
 * disabled subscription ends as skipped and does not come back when that is enabled (decision D152).
 */
export async function releaseLost(app: Webhooks): Promise<void> {
  const now = app.db.clock.now();
  await app.db.unit(0, (em) =>
    sql(
      em,
      `with expired as (
         select d.id, d.subscription_id, d.record, d.first_pending, ${deliverable('s', '$1')} as deliverable
         from webhooks.deliveries d join webhooks.subscriptions s on s.id = d.subscription_id
         where d.state = 'leased' and d.lease_until <= $1 order by d.lease_until limit $2 for update of d skip locked
       ), lost as (
         update webhooks.deliveries d set lease_until = null, lease_token = null, due_at = $1,
           state = case when e.deliverable then 'pending' else 'skipped' end,
           first_pending = d.first_pending and e.deliverable, ended_at = case when e.deliverable then null else $1::timestamptz end
         from expired e where d.id = e.id
       ), released as (
         update webhooks.deliveries d set held = false
         from expired e cross join lateral (
           select h.id from webhooks.deliveries h
           where h.subscription_id = e.subscription_id and h.record = e.record and h.held order by h.id limit 1) next
         where d.id = next.id and e.first_pending and not e.deliverable
       )
       update webhooks.attempts a set outcome = 'lost', ended_at = $1,
         duration_ms = least(extract(epoch from $1 - a.created_at) * 1000, 2147483647)::int
       from expired e where a.delivery_id = e.id and a.ended_at is null`,
      [now, batchMax],
    ),
  );
}
