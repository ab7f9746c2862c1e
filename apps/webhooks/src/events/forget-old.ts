/** Deletes events, deliveries, attempts and notices after 30 days, and unused secrets. */
import { type Db, type EntityManager, planByValues, sql } from '@store/db';
import { deleteOld } from '@store/service';
import { overlapHours } from '../secrets.ts';
import { keptSince } from './list-events.ts';

/** An event is kept longer than its deliveries: one replayed on its last day is retried for hours. */
const graceMs = 24 * 3_600_000;

/** Interval of `forgetOld`. */
export const forgetEveryMs = 10 * 60_000;

export async function forgetOld(db: Db): Promise<void> {
  const now = db.clock.now();
  const old = keptSince(now);
  const older = new Date(old.getTime() - graceMs);
  await deleteOld(db, { table: 'attempts', key: 'id' }, old);
  await deleteOld(db, { table: 'notices', key: 'id' }, old);
  await deleteOld(db, { table: 'deliveries', key: 'id' }, older);
  await deleteOld(db, { table: 'events', key: 'sequence' }, older);
  await db.unit(0, (em) => forgetRetired(em, new Date(now.getTime() - overlapHours * 3_600_000)));
}

/** Unfinished states; must match the partial indexes. */
const unfinished = [`d.state = 'pending' and not d.held`, 'd.held', `d.state = 'leased'`];

async function forgetRetired(em: EntityManager, retiredBefore: Date): Promise<void> {
  planByValues(em);
  await sql(
    em,
    `delete from webhooks.subscription_secrets k where k.retired_at < $1 ${unfinished
      .map(
        (condition) => `and not exists (
          select from webhooks.deliveries d
          where d.store_id = k.store_id and d.subscription_id = k.subscription_id and d.secret_version = k.version and ${condition})`,
      )
      .join(' ')}`,
    [retiredBefore],
  );
  await sql(
    em,
    `delete from webhooks.subscriptions s where s.deleted_at is not null
       and not exists (select from webhooks.deliveries d where d.store_id = s.store_id and d.subscription_id = s.id and d.manual)
       and not exists (select from webhooks.deliveries d where d.store_id = s.store_id and d.subscription_id = s.id and not d.manual)`,
  );
}
