/**
 * Slows down whoever guesses passwords (decisions D177, D203). A guess is counted before it is looked
 * at, so those in flight count too, and taken back when it was right. Three counts, kept in PostgreSQL
 * so that they hold across processes:
 *
 * - account and address: waits 1 s after the fifth failure, twice as long after each further one, 15
 *   minutes at most. Whoever guesses keeps only their own address out;
 * - address: 20 failures a minute, over all accounts;
 * - account: 100 failures an hour, over all addresses.
 *
 * A device that the account knows, or a session of its own, has a count of its own in place of all
 * three: nobody else's guesses keep it out. Unknown accounts are counted like known ones, or the 429
 * would tell which exist.
 */
import { createHash } from 'node:crypto';
import { type Db, type EntityManager, sql } from '@store/db';
import { addressBlock } from '../address-block.ts';
import { rateLimited } from '../rate-limited.ts';

const freeFailures = 5;
const waitMinMs = 1_000;
const waitMaxMs = 15 * 60_000;
const addressFailuresMax = 20;
const minuteMs = 60_000;
const accountFailuresMax = 100;
const hourMs = 3_600_000;
/** Failures older than this are forgotten. */
const keptMs = 24 * hourMs;

/** Who guesses at which account. */
export interface Guesser {
  account: string;
  ip: string;
  /** A device or session that the account knows. */
  known?: string;
}

/** A guess that was counted as a failure, until it proves right. */
export interface CountedGuess {
  account: string;
  source: string;
  /** Absent for a guesser whom the account knows. */
  address: string | undefined;
  at: Date;
}

/** How long account and address wait after that many failures in a row. */
export function waitAfterMs(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(waitMinMs * 2 ** Math.min(failures - freeFailures, 20), waitMaxMs);
}

/** Counts one guess; throws the 429 of one that has to wait, which is not counted. */
export async function countGuess(db: Db, guesser: Guesser): Promise<CountedGuess> {
  const at = db.clock.now();
  const address = guesser.known === undefined ? addressBlock(guesser.ip) : undefined;
  const counted = { account: hidden(guesser.account), source: guesser.known ?? address!, address, at };
  // Most that have to wait are told so by one read, which locks nothing.
  await refuseWhileBlocked(db, counted);
  await db.unit(0, async (em) => {
    await forget(em, at);
    await countSource(em, counted);
    if (address === undefined) return;
    const ofAddress = await countWithin(em, 'login_failures_by_ip', [address, startOf(minuteMs, at), addressFailuresMax]);
    if (!ofAddress) throw blocked(addressFailuresMax, minuteMs, at);
    const ofAccount = await countWithin(em, 'login_failures_by_account', [counted.account, startOf(hourMs, at), accountFailuresMax]);
    if (!ofAccount) throw blocked(accountFailuresMax, hourMs, at);
  });
  return counted;
}

async function refuseWhileBlocked(db: Db, { account, source, address, at }: CountedGuess): Promise<void> {
  const [row] = await db.read<{ until_ms: string | null; of_address: number | null; of_account: number | null }>(
    'login-blocked',
    `select (select (extract(epoch from blocked_until) * 1000)::bigint::text from gateway.login_guesses
             where account = $1 and source = $2 and blocked_until > $3) as until_ms,
            (select failures from gateway.login_failures_by_ip where ip = $4 and minute = $5) as of_address,
            (select failures from gateway.login_failures_by_account where account = $1 and hour = $6) as of_account`,
    [account, source, at, address ?? null, startOf(minuteMs, at), startOf(hourMs, at)],
  );
  if (row?.until_ms) throw rateLimited({ limit: freeFailures, now: at, until: new Date(Number(row.until_ms)) });
  if (address === undefined) return;
  if ((row?.of_address ?? 0) >= addressFailuresMax) throw blocked(addressFailuresMax, minuteMs, at);
  if ((row?.of_account ?? 0) >= accountFailuresMax) throw blocked(accountFailuresMax, hourMs, at);
}

async function forget(em: EntityManager, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - keptMs);
  await sql(em, 'delete from gateway.login_guesses where failed_at < $1', [forgotten]);
  await sql(em, 'delete from gateway.login_failures_by_ip where minute < $1', [forgotten]);
  await sql(em, 'delete from gateway.login_failures_by_account where hour < $1', [forgotten]);
}

/** The row is locked from here on, so of guesses at once each sees the one before. */
async function countSource(em: EntityManager, { account, source, at }: CountedGuess): Promise<void> {
  const [row] = await sql<{ failures: number; until_ms: string | null }>(
    em,
    `insert into gateway.login_guesses as g (account, source, failures, failed_at) values ($1, $2, 1, $3)
     on conflict (account, source) do update set failures = g.failures + 1, failed_at = excluded.failed_at
     returning failures, (extract(epoch from blocked_until) * 1000)::bigint::text as until_ms`,
    [account, source, at],
  );
  const blockedUntil = new Date(Number(row!.until_ms ?? 0));
  if (blockedUntil > at) throw rateLimited({ limit: freeFailures, now: at, until: blockedUntil });
  const waitMs = waitAfterMs(row!.failures);
  if (waitMs === 0) return;
  const until = new Date(at.getTime() + waitMs);
  await sql(em, 'update gateway.login_guesses set blocked_until = $3 where account = $1 and source = $2', [account, source, until]);
}

const windows = { login_failures_by_ip: ['ip', 'minute'], login_failures_by_account: ['account', 'hour'] } as const;

/** Counts one failure of that window; false when it has as many as it may. */
async function countWithin(em: EntityManager, table: keyof typeof windows, values: [string, Date, number]): Promise<boolean> {
  const [subject, window] = windows[table];
  const rows = await sql(
    em,
    `insert into gateway.${table} as f (${subject}, ${window}, failures) values ($1, $2, 1)
     on conflict (${subject}, ${window}) do update set failures = f.failures + 1 where f.failures < $3 returning failures`,
    values,
  );
  return rows.length > 0;
}

/** The guess was right: account and address start afresh. */
export async function clearGuesses(em: EntityManager, counted: CountedGuess): Promise<void> {
  await sql(em, 'delete from gateway.login_guesses where account = $1 and source = $2', [counted.account, counted.source]);
  await takeBackWindows(em, counted);
}

/** The guess was not looked at: as if it had not been made. */
export async function takeBackGuess(db: Db, counted: CountedGuess): Promise<void> {
  await db.unit(0, async (em) => {
    await sql(
      em,
      'update gateway.login_guesses set failures = greatest(failures - 1, 0), blocked_until = null where account = $1 and source = $2',
      [counted.account, counted.source],
    );
    await takeBackWindows(em, counted);
  });
}

async function takeBackWindows(em: EntityManager, { account, address, at }: CountedGuess): Promise<void> {
  if (address === undefined) return;
  await sql(em, 'update gateway.login_failures_by_ip set failures = failures - 1 where ip = $1 and minute = $2', [
    address,
    startOf(minuteMs, at),
  ]);
  await sql(em, 'update gateway.login_failures_by_account set failures = failures - 1 where account = $1 and hour = $2', [
    account,
    startOf(hourMs, at),
  ]);
}

/** People type passwords where the address belongs, so what was typed is not kept. */
function hidden(account: string): string {
  return createHash('sha256').update(account).digest('base64url');
}

const startOf = (windowMs: number, at: Date) => new Date(at.getTime() - (at.getTime() % windowMs));

const blocked = (limit: number, windowMs: number, at: Date) =>
  rateLimited({ limit, now: at, until: new Date(startOf(windowMs, at).getTime() + windowMs) });
