/** Ends deliveries as skipped, and lets those start that waited behind them. Text: each is one statement over two sets of rows. */
import { type EntityManager, sql } from '@store/db';
import { keyValues, type RowKey } from '../row-key.ts';

/**
 * SQL that lets the next held delivery of each record start (D141). `lanes`: rows of store_id, subscription_id and record; `next`: a
 * condition on `h`.
 */
export function releaseNext(lanes: string, next = 'true'): string {
  return `update webhooks.deliveries d set held = false
    from ${lanes} lane cross join lateral (
      select h.store_id, h.id from webhooks.deliveries h
      where h.store_id = lane.store_id and h.subscription_id = lane.subscription_id and h.record = lane.record and h.held and ${next}
      order by h.id limit 1) next
    where d.store_id = next.store_id and d.id = next.id`;
}

/**
 * Pending deliveries of these subscriptions end; attempts in flight are not aborted (D139). By the subscription alone, as in the indexes of
 * what waits: a plan that is kept may read the key of the whole store beside them.
 */
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
export async function skipReplays(em: EntityManager, subscriptions: RowKey[], now: Date): Promise<void> {
  if (subscriptions.length === 0) return;
  await sql(
    em,
    `with skipped as (
       update webhooks.deliveries d set state = 'skipped', held = false, first_pending = false, ended_at = $3
       where d.store_id = any($1::bigint[]) and d.subscription_id = any($2::bigint[]) and d.manual and d.state = 'pending'
       returning d.store_id, d.subscription_id, d.record
     )
     ${releaseNext('(select distinct store_id, subscription_id, record from skipped)', 'not h.manual')} and not exists (
       select from webhooks.deliveries f
       where f.store_id = lane.store_id and f.subscription_id = lane.subscription_id and f.record = lane.record
         and f.first_pending and not f.held and not (f.manual and f.state = 'pending'))`,
    [...keyValues(subscriptions), now],
  );
}

/** Claimed deliveries whose event the log no longer has: there is nothing to send, and they would be claimed again after each lease. */
export async function skipWithoutEvent(em: EntityManager, deliveries: RowKey[], now: Date): Promise<void> {
  if (deliveries.length === 0) return;
  await sql(
    em,
    `with gone as (
       select d.store_id, d.id, d.subscription_id, d.record, d.first_pending
       from unnest($1::bigint[], $2::bigint[]) as x(store_id, id) join webhooks.deliveries d on d.store_id = x.store_id and d.id = x.id
     ), ended as (
       update webhooks.deliveries d set state = 'skipped', first_pending = false, ended_at = $3, lease_until = null, lease_token = null
       from gone where d.store_id = gone.store_id and d.id = gone.id
     )
     ${releaseNext('(select * from gone where first_pending)')}`,
    [...keyValues(deliveries), now],
  );
}
