/**
 * Slows down whoever guesses passwords (decision D177). An account waits 1 s after
 * its fifth failure, twice as long after each further one, 15 minutes at most and never for ever; an
 * address has 20 failures a minute. Kept in PostgreSQL, so that it holds across processes. Unknown
 * accounts are throttled like known ones, or the 429 would tell which exist.
 */
import { createHash } from 'node:crypto';
import { type Db, type EntityManager, sql } from '@store/db';
import { rateLimited } from './rate-limited.ts';

const freeFailures = 5;
const waitMinMs = 1_000;
const waitMaxMs = 15 * 60_000;
const ipFailuresMax = 20;
const minuteMs = 60_000;
/** Failures older than this are forgotten. */
const keptMs = 24 * 3_600_000;

/** How long an account waits after that many failures in a row. */
export function waitAfterMs(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(waitMinMs * 2 ** Math.min(failures - freeFailures, 20), waitMaxMs);
}

/** Throws the 429 while the account or the address has to wait. */
export async function refuseWhileBlocked(db: Db, account: string, ip: string): Promise<void> {
  const now = db.clock.now();
  const [row] = await db.read<{ blocked_until_ms: string | null; ip_failures: number | null }>(
    'login-blocked',
    `select (select (extract(epoch from blocked_until) * 1000)::bigint::text from gateway.login_failures
             where account = $1 and blocked_until > $3) as blocked_until_ms,
            (select failures from gateway.login_failures_by_ip where ip = $2 and minute = $4) as ip_failures`,
    [hidden(account), ip, now, minuteOf(now)],
  );
  if (row?.blocked_until_ms) throw rateLimited({ limit: freeFailures, now, until: new Date(Number(row.blocked_until_ms)) });
  if ((row?.ip_failures ?? 0) >= ipFailuresMax) {
    throw rateLimited({ limit: ipFailuresMax, now, until: new Date(minuteOf(now).getTime() + minuteMs) });
  }
}

/** Counts a failure against the account and the address. */
export async function countFailure(db: Db, account: string, ip: string): Promise<void> {
  const now = db.clock.now();
  const forgotten = new Date(now.getTime() - keptMs);
  await db.unit(0, async (em) => {
    await sql(em, 'delete from gateway.login_failures where failed_at < $1', [forgotten]);
    await sql(em, 'delete from gateway.login_failures_by_ip where minute < $1', [forgotten]);
    const [row] = await sql<{ failures: number }>(
      em,
      `insert into gateway.login_failures as f (account, failures, failed_at) values ($1, 1, $2)
       on conflict (account) do update set failures = f.failures + 1, failed_at = excluded.failed_at returning failures`,
      [hidden(account), now],
    );
    const waitMs = waitAfterMs(row?.failures ?? 0);
    if (waitMs > 0) {
      await sql(em, 'update gateway.login_failures set blocked_until = $2 where account = $1', [
        hidden(account),
        new Date(now.getTime() + waitMs),
      ]);
    }
    await sql(
      em,
      `insert into gateway.login_failures_by_ip as f (ip, minute, failures) values ($1, $2, 1)
       on conflict (ip, minute) do update set failures = f.failures + 1`,
      [ip, minuteOf(now)],
    );
  });
}

/** A login that succeeded: the account starts afresh. */
export async function clearFailures(em: EntityManager, account: string): Promise<void> {
  await sql(em, 'delete from gateway.login_failures where account = $1', [hidden(account)]);
}

/** People type passwords where the address belongs, so what was typed is not kept. */
function hidden(account: string): string {
  return createHash('sha256').update(account).digest('base64url');
}

function minuteOf(at: Date): Date {
  return new Date(at.getTime() - (at.getTime() % minuteMs));
}
