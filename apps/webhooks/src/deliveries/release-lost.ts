/** Releases leases that expired or whose process is dead: their attempts were lost. Text: like the claim. */
import { type EntityManager, type Row, sql } from '@store/db';
import { deliverable } from '../subscriptions/deliverable.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Webhooks } from '../webhooks.ts';
import type { Delivery } from './delivery.ts';

const batchMax = 1_000;

/**
 * Makes their deliveries due at once. The attempt is logged as lost (it may have reached the receiver)
 * and spends none of the five: the next one has its number (D150). A delivery of a
 * disabled subscription ends as skipped and is not resumed when that is enabled (D152).
 */
export async function releaseLost(app: Webhooks): Promise<void> {
  const now = app.db.clock.now();
  const dead = await app.owners.dead();
  await app.db.unit(0, async (em) => {
    const lost = await sql<Pick<Row<typeof Delivery>, 'id'>>(
      em,
      `select id from webhooks.deliveries where state = 'leased' and (lease_until <= $1 or lease_owner = any($2::int[]))
       order by lease_until limit $3`,
      [now, dead, batchMax],
    );
    if (lost.length > 0) await release(em, { ids: lost.map(({ id }) => id), dead, now });
  });
}

interface Lost {
  ids: number[];
  dead: number[];
  now: Date;
}

/**
 * The subscriptions are locked before checking whether they may receive, as in a claim: one that is
 * disabled meanwhile would keep a delivery that resumes when it is enabled.
 */
async function release(em: EntityManager, { ids, dead, now }: Lost): Promise<void> {
  const locked = await sql<Pick<Row<typeof Subscription>, 'id'> & { deliverable: boolean }>(
    em,
    `select s.id, ${deliverable('s', '$2')} as deliverable from webhooks.subscriptions s
     where s.id in (select subscription_id from webhooks.deliveries where id = any($1::bigint[])) order by s.id for share of s`,
    [ids, now],
  );
  await sql(
    em,
    `with expired as (
       select d.id, d.subscription_id, d.record, d.first_pending, s.deliverable
       from webhooks.deliveries d join unnest($4::bigint[], $5::boolean[]) as s(id, deliverable) on s.id = d.subscription_id
       where d.id = any($2::bigint[]) and d.state = 'leased' and (d.lease_until <= $1 or d.lease_owner = any($3::int[]))
       order by d.id for update of d skip locked
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
    [now, ids, dead, locked.map(({ id }) => id), locked.map((row) => row.deliverable)],
  );
}
