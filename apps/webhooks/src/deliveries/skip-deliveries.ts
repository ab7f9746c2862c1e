/** Ends deliveries as skipped, and lets those start that waited behind them. Text: each is one statement over two sets of rows. */
import { type EntityManager, sql } from '@store/db';

/**
 * SQL that lets the next held delivery of each record start (D141). `lanes`: rows of subscription_id and record; `next`: a condition on
 * `h`.
 */
export function releaseNext(lanes: string, next = 'true'): string {
  return `update webhooks.deliveries d set held = false
    from ${lanes} lane cross join lateral (
      select h.id from webhooks.deliveries h
      where h.subscription_id = lane.subscription_id and h.record = lane.record and h.held and ${next} order by h.id limit 1) next
    where d.id = next.id`;
}

/** Pending deliveries of these subscriptions end; attempts in flight are not aborted (D139). */
export async function skipPending(em: EntityManager, subscriptionIds: number[], now: Date): Promise<void> {
  if (subscriptionIds.length === 0) return;
  await sql(
    em,
    // Two statements, as held and other deliveries are in different indexes.
    `with waiting as (
       update webhooks.deliveries set state = 'skipped', first_pending = false, ended_at = $2
       where subscription_id = any($1::bigint[]) and state = 'pending' and not held
     )
     update webhooks.deliveries set state = 'skipped', held = false, first_pending = false, ended_at = $2
     where subscription_id = any($1::bigint[]) and held`,
    [subscriptionIds, now],
  );
}

/** Pending replays of these subscriptions end. The next delivery of a record may start unless another first attempt of it is pending. */
export async function skipReplays(em: EntityManager, subscriptionIds: number[], now: Date): Promise<void> {
  if (subscriptionIds.length === 0) return;
  await sql(
    em,
    `with skipped as (
       update webhooks.deliveries set state = 'skipped', held = false, first_pending = false, ended_at = $2
       where subscription_id = any($1::bigint[]) and manual and state = 'pending' returning subscription_id, record
     )
     ${releaseNext('(select distinct subscription_id, record from skipped)', 'not h.manual')} and not exists (
       select from webhooks.deliveries f
       where f.subscription_id = lane.subscription_id and f.record = lane.record and f.first_pending and not f.held
         and not (f.manual and f.state = 'pending'))`,
    [subscriptionIds, now],
  );
}

/** Claimed deliveries whose event the log no longer has: there is nothing to send, and they would be claimed again after each lease. */
export async function skipWithoutEvent(em: EntityManager, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql(
    em,
    `with gone as (
       select d.id, d.subscription_id, d.record, d.first_pending from webhooks.deliveries d where d.id = any($1::bigint[])
     ), ended as (
       update webhooks.deliveries d set state = 'skipped', first_pending = false, ended_at = $2, lease_until = null, lease_token = null
       from gone where d.id = gone.id
     )
     ${releaseNext('(select * from gone where first_pending)')}`,
    [ids, now],
  );
}
