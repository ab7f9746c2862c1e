/** Leases that ran out or whose process is dead: their attempts were lost. */
import { type EntityManager, sql } from '@store/db';
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
  const dead = await app.owners.dead();
  await app.db.unit(0, async (em) => {
    if (dead.length > 0) await endLeasesOf(em, dead, now);
    await sql(
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
    );
  });
}

async function endLeasesOf(em: EntityManager, owners: number[], now: Date): Promise<void> {
  await sql(
    em,
    `update webhooks.deliveries set lease_until = least(lease_until, $2) where id in (
       select id from webhooks.deliveries where state = 'leased' and lease_owner = any($1::int[]) order by id for update skip locked)`,
    [owners, now],
  );
}
