/** What a store may have waiting in an outbox before its bulk endpoints are refused (D258). */
import { type Db, sql, sqlUnawaited } from '@store/db';
import { Problem, retryAfter, texts } from '@store/problem';

/** A bulk request adds up to 30,000 rows, and a relay publishes some thousand a second. */
const backlogMax = 20_000;

/**
 * Throws the 503 while more than `backlogMax` events of the store wait; at most so many entries of an index are read. The settings are
 * the transaction's: a plan made while the outbox was small would read all of it.
 */
export async function demandNoBacklog(db: Db, storeId: number): Promise<void> {
  const beyond = await db.unit(storeId, (em) => {
    sqlUnawaited(em, `select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`);
    return sql(em, `select from ${db.schema}.outbox where store_id = $1 offset $2 limit 1`, [storeId, backlogMax]);
  });
  if (beyond.length > 0) throw new Problem('backlog', texts.backlog, { headers: retryAfter });
}
