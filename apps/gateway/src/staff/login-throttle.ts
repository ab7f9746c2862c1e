/**
 * Throttles password attempts (D177, D203). An attempt is counted before it is
 * checked, so those in flight count too, and subtracted when it was right. Three counts, kept in PostgreSQL
 * so that all processes share them:
 *
 * - account and address: waits 1 s after the fifth failure, twice as long after each further one, at
 *   most 15 minutes. An attacker locks out only their own address;
 * - address: 20 failures a minute, over all accounts;
 * - account: 100 failures an hour, over all addresses.
 *
 * A device that the account knows, or one of its sessions, has its own count in place of all
 * three: attempts by others do not lock it out. Unknown accounts are counted like known ones, because
 * the 429 would otherwise reveal which accounts exist.
 */
import { createHash } from 'node:crypto';
import { type Db, type EntityManager, sql } from '@store/db';
import { rateLimited } from '@store/problem';
import { inBackground } from '@store/shares/asker';
import { addressBlock } from '../address-block.ts';
import type { Gateway } from '../gateway.ts';
import { tables } from '../tables.ts';

const freeFailures = 5;
const waitMinMs = 1_000;
const waitMaxMs = 15 * 60_000;
const addressFailuresMax = 20;
const minuteMs = 60_000;
const accountFailuresMax = 100;
const hourMs = 3_600_000;
const keptMs = 24 * hourMs;

interface Guesser {
  account: string;
  ip: string;
  /** A device or session known to the account. */
  known?: string;
}

/** An attempt, counted as a failure until it proves right. */
export interface CountedGuess {
  account: string;
  source: string;
  /** Absent for a source that the account knows. */
  address: string | undefined;
  at: Date;
}

/** The wait of account and address after that many consecutive failures. */
export function waitAfterMs(failures: number): number {
  if (failures < freeFailures) return 0;
  return Math.min(waitMinMs * 2 ** Math.min(failures - freeFailures, 20), waitMaxMs);
}

/** `look` hashes when it is its turn, which is that of the store `identify` finds; an attempt that could not be checked does not count. */
export async function guess<T>(
  app: Pick<Gateway, 'db' | 'passwords'>,
  guesser: Guesser,
  look: () => Promise<T>,
  identify?: () => Promise<void>,
): Promise<{ counted: CountedGuess; found: T }> {
  const counted = await countGuess(app.db, guesser);
  try {
    await identify?.();
    return { counted, found: await app.passwords.inTurn(look) };
  } catch (error) {
    await inBackground(() => takeBackGuess(app.db, counted));
    throw error;
  }
}

/** Counts one attempt; throws the 429 of one that must wait, which is not counted. */
export async function countGuess(db: Db, guesser: Guesser): Promise<CountedGuess> {
  const at = db.clock.now();
  const address = guesser.known === undefined ? addressBlock(guesser.ip) : undefined;
  const counted = { account: hidden(guesser.account), source: guesser.known ?? address!, address, at };
  // This read refuses most attempts that must wait, without a lock.
  await refuseWhileBlocked(db, counted);
  await db.unit(0, async (em) => {
    await deleteOld(em, at);
    await countSource(em, counted);
    if (address === undefined) return;
    const within = async (text: string, of: string, windowMs: number, limit: number) => {
      if ((await sql(em, text, [of, startOf(windowMs, at), limit])).length === 0) throw blocked(limit, windowMs, at);
    };
    await within(countOfAddress, address, minuteMs, addressFailuresMax);
    await within(countOfAccount, counted.account, hourMs, accountFailuresMax);
  });
  return counted;
}

async function refuseWhileBlocked(db: Db, { account, source, address, at }: CountedGuess): Promise<void> {
  const counts = tables.selectNoFrom((from) => [
    from
      .selectFrom('login_guesses')
      .select('blocked_until')
      .where('account', '=', account)
      .where('source', '=', source)
      .where('blocked_until', '>', at)
      .as('blocked_until'),
    from
      .selectFrom('login_failures_by_ip')
      .select('failures')
      .where('ip', '=', address ?? '')
      .where('minute', '=', startOf(minuteMs, at))
      .as('of_address'),
    from
      .selectFrom('login_failures_by_account')
      .select('failures')
      .where('account', '=', account)
      .where('hour', '=', startOf(hourMs, at))
      .as('of_account'),
  ]);
  const [row] = await db.read(counts);
  if (row?.blocked_until) throw rateLimited({ limit: freeFailures, now: at, until: row.blocked_until });
  if (address === undefined) return;
  if ((row?.of_address ?? 0) >= addressFailuresMax) throw blocked(addressFailuresMax, minuteMs, at);
  if ((row?.of_account ?? 0) >= accountFailuresMax) throw blocked(accountFailuresMax, hourMs, at);
}

async function deleteOld(em: EntityManager, now: Date): Promise<void> {
  const keptFrom = new Date(now.getTime() - keptMs);
  await sql(em, tables.deleteFrom('login_guesses').where('failed_at', '<', keptFrom));
  await sql(em, tables.deleteFrom('login_failures_by_ip').where('minute', '<', keptFrom));
  await sql(em, tables.deleteFrom('login_failures_by_account').where('hour', '<', keptFrom));
}

/** The row is locked from here on, so each of several concurrent attempts sees the previous one. */
async function countSource(em: EntityManager, { account, source, at }: CountedGuess): Promise<void> {
  const counted = tables
    .insertInto('login_guesses')
    .values({ account, source, failures: 1, failed_at: at })
    .onConflict((guess) =>
      guess
        .columns(['account', 'source'])
        .doUpdateSet((set) => ({ failures: set('login_guesses.failures', '+', 1), failed_at: set.ref('excluded.failed_at') })),
    )
    .returning(['failures', 'blocked_until']);
  const [row] = await sql(em, counted);
  const { failures, blocked_until } = row!;
  if (blocked_until && blocked_until > at) throw rateLimited({ limit: freeFailures, now: at, until: blocked_until });
  const waitMs = waitAfterMs(failures);
  if (waitMs === 0) return;
  const until = new Date(at.getTime() + waitMs);
  const guesses = tables.updateTable('login_guesses').set({ blocked_until: until });
  await sql(em, guesses.where('account', '=', account).where('source', '=', source));
}

/** Text, for two tables alike: counts one failure of a window, and returns no row when the limit is reached. */
const countWithin = (table: string, by: string, window: string) => `
  insert into gateway.${table} as counted (${by}, ${window}, failures) values ($1, $2, 1)
  on conflict (${by}, ${window}) do update set failures = counted.failures + 1 where counted.failures < $3 returning failures`;
const countOfAddress = countWithin('login_failures_by_ip', 'ip', 'minute');
const countOfAccount = countWithin('login_failures_by_account', 'account', 'hour');

export async function clearGuesses(em: EntityManager, counted: CountedGuess): Promise<void> {
  const { account, source } = counted;
  await sql(em, tables.deleteFrom('login_guesses').where('account', '=', account).where('source', '=', source));
  await takeBackWindows(em, counted);
}

export async function takeBackGuess(db: Db, counted: CountedGuess): Promise<void> {
  await db.unit(0, async (em) => {
    const { account, source } = counted;
    const guesses = tables
      .updateTable('login_guesses')
      .set((set) => ({ failures: set.fn<number>('greatest', [set('failures', '-', 1), set.lit(0)]), blocked_until: null }));
    await sql(em, guesses.where('account', '=', account).where('source', '=', source));
    await takeBackWindows(em, counted);
  });
}

async function takeBackWindows(em: EntityManager, { account, address, at }: CountedGuess): Promise<void> {
  if (address === undefined) return;
  const ofAddress = tables.updateTable('login_failures_by_ip').set((set) => ({ failures: set('failures', '-', 1) }));
  await sql(em, ofAddress.where('ip', '=', address).where('minute', '=', startOf(minuteMs, at)));
  const ofAccount = tables.updateTable('login_failures_by_account').set((set) => ({ failures: set('failures', '-', 1) }));
  await sql(em, ofAccount.where('account', '=', account).where('hour', '=', startOf(hourMs, at)));
}

/** People type passwords into the address field, so the typed text is not stored. */
function hidden(account: string): string {
  return createHash('sha256').update(account).digest('base64url');
}

const startOf = (windowMs: number, at: Date) => new Date(at.getTime() - (at.getTime() % windowMs));

const blocked = (limit: number, windowMs: number, at: Date) =>
  rateLimited({ limit, now: at, until: new Date(startOf(windowMs, at).getTime() + windowMs) });
