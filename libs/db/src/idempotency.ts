/** Idempotency-Key (D185): key and answer are written in the change's own transaction, so they exist together or not at all. 24 hours. */
import { setTimeout as wait } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Problem } from '@store/problem';
import { inBackground } from '@store/shares/asker';
import type { Db } from './db.ts';
import { sqlState } from './pg/database-errors.ts';
import { Transaction } from './pg/transaction.ts';
import { type IdempotentRequest, isSame, storedDigest } from './request-digest.ts';
import { planByValues, sql, sqlUnawaited } from './sql.ts';

export const idempotencyTable = `
  create table idempotency (
    store_id bigint not null,
    actor text not null,
    key text not null,
    hash bytea not null,
    status int,
    answer bytea,
    created_at timestamptz(3) not null,
    primary key (store_id, actor, key)
  )`;

/** An answer as it is stored: the message's bytes, or the Problem that refused the change. */
export interface StoredAnswer {
  status: number;
  bytes: Buffer;
  replayed: boolean;
}

export interface AnswerCodec<T> {
  encode(result: T): { status: number; bytes: Uint8Array };
  encodeProblem(problem: Problem): Uint8Array;
}

interface OnceOptions<T, Asked = undefined> {
  request: IdempotentRequest;
  codec: AnswerCodec<T>;
  /**
   * Calls to other services, made once before the transaction, so that no connection waits for them. They must be safe to repeat. A
   * refusal of theirs is not stored: it depends on what another service knew then (D275).
   */
  ask?: () => Promise<Asked>;
}

type Work<T, Asked> = (em: EntityManager, asked: Asked) => Promise<T>;

/** How long a duplicate waits for the first request; the gateway waits as long for the answer. */
const waitMaxMs = 10_000;
/** Interval at which a duplicate polls for another process's answer. */
const lookMinMs = 10;
const lookMaxMs = 100;
/** How long a transaction waits for another one's row lock. */
const rowWaitMs = 50;
const lockTimeout = '55P03';
const keptHours = 24;
/** 401, 403, 429 and 5xx do not depend on the change and are never stored. */
const keptStatuses = new Set([400, 404, 409, 413, 422]);

/** Keys that this process works on, by database: each promise resolves to whether an answer was stored, and never rejects. */
const underWay = new WeakMap<Db, Map<string, Promise<boolean>>>();

/**
 * Runs `work` once per key; another body gets a 422. A duplicate of a request in flight waits without a connection, as many duplicates
 * would otherwise take the whole pool.
 */
export async function once<T, Asked = undefined>(db: Db, options: OnceOptions<T, Asked>, work: Work<T, Asked>): Promise<StoredAnswer | T> {
  const { request } = options;
  const giveUpAtMs = performance.now() + waitMaxMs;
  const keys = keysOf(db);
  const name = JSON.stringify([request.storeId, request.actor, request.key]);
  for (let first = keys.get(name); first; first = keys.get(name)) {
    const stored = (await endOf(first, giveUpAtMs)) ? await storedAnswer(db, options) : undefined;
    if (stored) return stored;
  }
  const running = untilItIsOurs(db, options, work, giveUpAtMs);
  keys.set(
    name,
    running.then(() => true, isRefusal),
  );
  return running.finally(() => keys.delete(name));
}

function keysOf(db: Db): Map<string, Promise<boolean>> {
  const keys = underWay.get(db) ?? new Map<string, Promise<boolean>>();
  underWay.set(db, keys);
  return keys;
}

/** Whether an answer was stored; a conflict when that takes too long. */
async function endOf(first: Promise<boolean>, giveUpAtMs: number): Promise<boolean> {
  const ended = new AbortController();
  const late = wait(giveUpAtMs - performance.now(), undefined, { signal: ended.signal }).then(() => {
    throw stillInProgress();
  });
  return Promise.race([first, late]).finally(() => {
    late.catch(() => undefined);
    ended.abort();
  });
}

async function untilItIsOurs<T, Asked>(
  db: Db,
  options: OnceOptions<T, Asked>,
  work: Work<T, Asked>,
  giveUpAtMs: number,
): Promise<StoredAnswer | T> {
  let asked: { said: Asked } | undefined;
  for (let lookMs = lookMinMs; ; lookMs = Math.min(2 * lookMs, lookMaxMs)) {
    const stored = await storedAnswer(db, options);
    if (stored) return stored;
    asked ??= { said: (await options.ask?.()) as Asked };
    const outcome = await tryOnce(db, options, asked.said, work);
    if (outcome !== claimedElsewhere) return outcome as T;
    if (performance.now() > giveUpAtMs) throw stillInProgress();
    await wait(lookMs);
  }
}

const claimedElsewhere = Symbol('claimedElsewhere');
class ClaimedElsewhere extends Error {}

async function tryOnce<T, Asked>(
  db: Db,
  { request, codec }: OnceOptions<T, Asked>,
  said: Asked,
  work: Work<T, Asked>,
): Promise<T | typeof claimedElsewhere> {
  const run = async (em: EntityManager) => {
    await claim(em, db, request);
    const result = await work(em, said);
    const { status, bytes } = codec.encode(result);
    const { storeId, actor, key } = request;
    sqlUnawaited(em, `update ${db.schema}.idempotency set status = $4, answer = $5 where store_id = $1 and actor = $2 and key = $3`, [
      storeId,
      actor,
      key,
      status,
      bytes,
    ]);
    return result;
  };
  try {
    return await db.unit(request.storeId, run);
  } catch (error) {
    if (error instanceof ClaimedElsewhere) return claimedElsewhere;
    // Another process may have taken the key since the rollback: its answer is then that of this request too.
    if (isRefusal(error) && !(await inBackground(() => keepRefusal(db, request, error, codec)))) return claimedElsewhere;
    throw error;
  }
}

/** Whether it is stored as the answer of its key (D275). */
function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && keptStatuses.has(error.status) && !error.isOfService;
}

async function storedAnswer<T, A>(db: Db, { request }: OnceOptions<T, A>): Promise<StoredAnswer | undefined> {
  const [row] = await db.read<{ hash: Buffer; status: number; answer: Buffer }>(
    `select hash, status, answer from ${db.schema}.idempotency where store_id = $1 and actor = $2 and key = $3 and created_at >= $4`,
    [request.storeId, request.actor, request.key, oldestKept(db)],
  );
  if (!row) return undefined;
  if (isSame(row.hash, request.hash)) return { status: row.status, bytes: row.answer, replayed: true };
  const message = 'Idempotency-Key was already used with another request';
  throw new Problem('invalid', message, { errors: [message] });
}

function oldestKept(db: Db): Date {
  return new Date(db.clock.now().getTime() - keptHours * 3_600_000);
}

/**
 * Claims the key until the transaction ends. The lock is tried, not waited for, as a waiting transaction holds a connection. It ends
 * after the commit is visible, so without it there is an answer or another process at work. A row that was written without the lock is
 * waited for briefly.
 */
async function claim(em: EntityManager, db: Db, request: IdempotentRequest): Promise<void> {
  try {
    const { storeId, actor, key } = request;
    const values = [storeId, actor, key, storedDigest(request.hash), db.clock.now()];
    const claimed = await (Transaction.of(em)?.isCitus ? claimOnCitus(em, db.schema, values) : sql(em, claimAtOnce(db.schema), values));
    if (claimed.length === 0) throw new ClaimedElsewhere();
  } catch (error) {
    throw sqlState(error) === lockTimeout ? new ClaimedElsewhere() : error;
  }
}

const freePlace = (schema: string) =>
  `pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', '${schema}', $1::bigint, $2::text, $3::text), 0)) as free`;

const unlessKept = `
  on conflict (store_id, actor, key) do update set hash = excluded.hash, created_at = excluded.created_at, status = null, answer = null
  where excluded.created_at - i.created_at > interval '${keptHours} hours'`;

const claimAtOnce = (schema: string) => `
  with place as materialized (select set_config('lock_timeout', '${rowWaitMs}', true), ${freePlace(schema)})
  insert into ${schema}.idempotency as i (store_id, actor, key, hash, created_at)
  select $1, $2, $3, $4::bytea, $5::timestamptz from place where free ${unlessKept} returning set_config('lock_timeout', '0', true)`;

/** The lock is the coordinator's and the row a worker's: one statement for both would copy the row, and commit in two phases. */
async function claimOnCitus(em: EntityManager, schema: string, values: unknown[]): Promise<object[]> {
  const [place] = await sql<{ free: boolean }>(em, `select ${freePlace(schema)}`, values.slice(0, 3));
  if (!place!.free) return [];
  return sql(
    em,
    `insert into ${schema}.idempotency as i (store_id, actor, key, hash, created_at) values ($1, $2, $3, $4, $5) ${unlessKept} returning 1 as claimed`,
    values,
  );
}

function stillInProgress(): Problem {
  return new Problem('conflict', 'A request with this Idempotency-Key is still in progress', { details: 'Idempotency-Key is in use' });
}

/** The refused change was rolled back together with its claim; the refusal is stored separately. False: the key has an answer. */
async function keepRefusal<T>(db: Db, request: IdempotentRequest, problem: Problem, codec: AnswerCodec<T>): Promise<boolean> {
  const kept = await db.unit(request.storeId, (em) =>
    sql(
      em,
      `insert into ${db.schema}.idempotency (store_id, actor, key, hash, status, answer, created_at) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (store_id, actor, key) do nothing returning 1 as kept`,
      [
        request.storeId,
        request.actor,
        request.key,
        storedDigest(request.hash),
        problem.status,
        codec.encodeProblem(problem),
        db.clock.now(),
      ],
    ),
  );
  return kept.length > 0;
}

export async function forgetOldAnswers(db: Db): Promise<void> {
  await db.unit(0, async (em) => {
    planByValues(em);
    await sql(em, `delete from ${db.schema}.idempotency where created_at < $1`, [oldestKept(db)]);
  });
}
