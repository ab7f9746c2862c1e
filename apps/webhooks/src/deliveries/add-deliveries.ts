/** Adds deliveries. Text: one statement for a batch, with its order. */
import { type EntityManager, sql } from '@store/db';

interface NewDelivery {
  storeId: number;
  subscriptionId: number;
  sequence: number;
  record: string;
  secretVersion: number;
}

/**
 * One waits as `held` while an earlier first attempt of its subscription and record has not ended (D141). The caller holds a lock on the
 * subscriptions that recording a result needs too.
 */
export async function addDeliveries(
  em: EntityManager,
  deliveries: NewDelivery[],
  { manual, now }: { manual: boolean; now: Date },
): Promise<void> {
  const before = new Set<string>();
  const behind = deliveries.map(({ subscriptionId, record }) => {
    const lane = `${subscriptionId}:${record}`;
    const isBehind = before.has(lane);
    before.add(lane);
    return isBehind;
  });
  await sql(
    em,
    `insert into webhooks.deliveries (store_id, subscription_id, sequence, record, secret_version, manual, due_at, created_at, held)
     select x.store_id, x.subscription_id, x.sequence, x.record, x.secret_version, $7, $8, $8,
       x.behind or exists (
         select from webhooks.deliveries d
         where d.store_id = x.store_id and d.subscription_id = x.subscription_id and d.record = x.record and d.first_pending)
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::boolean[])
       with ordinality as x(store_id, subscription_id, sequence, record, secret_version, behind, n)
     order by x.n`,
    [
      deliveries.map((delivery) => delivery.storeId),
      deliveries.map((delivery) => delivery.subscriptionId),
      deliveries.map((delivery) => delivery.sequence),
      deliveries.map((delivery) => delivery.record),
      deliveries.map((delivery) => delivery.secretVersion),
      behind,
      manual,
      now,
    ],
  );
}
