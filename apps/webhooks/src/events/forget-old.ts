/** Deletes events, deliveries, attempts and notices after 30 days, and unused secrets. Text: batches by a limit. */
import { type Db, type EntityManager, planByValues, sql } from '@store/db';
import { overlapHours } from '../secrets.ts';
import { eventsKeptDays } from './list-events.ts';

/** Rows per transaction, so that no lock is held for long. */
const batchRows = 5_000;
const dayMs = 24 * 3_600_000;
/** An event is kept longer than its deliveries: one replayed on its last day is retried for hours. */
const eventGraceDays = 1;

/** Interval of `forgetOld`. */
export const forgetEveryMs = 10 * 60_000;

export async function forgetOld(db: Db): Promise<void> {
  const nowMs = db.clock.now().getTime();
  const old = new Date(nowMs - eventsKeptDays * dayMs);
  const older = new Date(nowMs - (eventsKeptDays + eventGraceDays) * dayMs);
  await inBatches(db, 'delete from webhooks.attempts where id in (select id from webhooks.attempts where created_at < $1 limit $2)', old);
  await inBatches(db, 'delete from webhooks.notices where id in (select id from webhooks.notices where created_at < $1 limit $2)', old);
  await inBatches(
    db,
    'delete from webhooks.deliveries where id in (select id from webhooks.deliveries where created_at < $1 limit $2)',
    older,
  );
  await inBatches(
    db,
    `delete from webhooks.events where (store_id, sequence) in (
       select e.store_id, e.sequence from webhooks.events e where e.created_at < $1 limit $2)`,
    older,
  );
  await db.unit(0, (em) => forgetRetired(em, new Date(nowMs - overlapHours * 3_600_000)));
}

async function inBatches(db: Db, statement: string, before: Date): Promise<void> {
  let removed: number;
  do {
    removed = await db.unit(0, async (em) => {
      planByValues(em);
      return (await sql(em, `${statement} returning 1`, [before, batchRows])).length;
    });
  } while (removed === batchRows);
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
          where d.subscription_id = k.subscription_id and d.secret_version = k.version and ${condition})`,
      )
      .join(' ')}`,
    [retiredBefore],
  );
  await sql(
    em,
    `delete from webhooks.subscriptions s where s.deleted_at is not null
       and not exists (select from webhooks.deliveries d where d.subscription_id = s.id and d.manual)
       and not exists (select from webhooks.deliveries d where d.subscription_id = s.id and not d.manual)`,
  );
}
