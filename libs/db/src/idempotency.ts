/**
 * Idempotency-Key (decision D185): the key and the answer are written in the change's own
 * transaction, so a change and its answer exist together or not at all. Kept for 24 hours.
 */
import type { EntityManager } from '@mikro-orm/postgresql';
import { Problem } from '@store/problem';
import type { Db } from './db.ts';
import { sqlState } from './db.ts';
import { sql } from './sql.ts';

/** Table of every schema that takes writes. */
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

export interface IdempotentRequest {
  storeId: number;
  /** Whose key it is, such as key:12 or user:3. */
  actor: string;
  key: string;
  /** SHA-256 of method, path and body. */
  hash: Uint8Array;
}

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

const waitMaxMs = 10_000;
const lockTimeout = '55P03';
const keptHours = 24;
/** 401, 403, 429 and 5xx say nothing about the change and are never kept. */
const keptStatuses = new Set([400, 404, 409, 413, 422]);

/** Runs `work` once per key; a repetition gets the stored answer, another body gets a 422. */
export async function once<T>(
  db: Db,
  request: IdempotentRequest,
  work: (em: EntityManager) => Promise<T>,
  codec: AnswerCodec<T>,
): Promise<StoredAnswer | T> {
  try {
    return await db.unit(request.storeId, async (em) => {
      const stored = await claim(em, db, request);
      if (stored) return stored;
      const result = await work(em);
      const answer = codec.encode(result);
      await sql(em, `update ${db.schema}.idempotency set status = $4, answer = $5 where store_id = $1 and actor = $2 and key = $3`, [
        request.storeId,
        request.actor,
        request.key,
        answer.status,
        answer.bytes,
      ]);
      return result;
    });
  } catch (error) {
    if (isRefusal(error)) await keepRefusal(db, request, error, codec);
    throw error;
  }
}

const misuse = new WeakSet<Problem>();

function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && keptStatuses.has(error.status) && !misuse.has(error);
}

async function claim(em: EntityManager, db: Db, request: IdempotentRequest): Promise<StoredAnswer | undefined> {
  const now = db.clock.now();
  const oldest = new Date(now.getTime() - keptHours * 3_600_000);
  await sql(em, `set local lock_timeout = ${waitMaxMs}`);
  try {
    // A concurrent duplicate waits here until the first has committed or rolled back.
    const inserted = await sql(
      em,
      `insert into ${db.schema}.idempotency as i (store_id, actor, key, hash, created_at) values ($1, $2, $3, $4, $5)
       on conflict (store_id, actor, key) do update set hash = excluded.hash, created_at = excluded.created_at, status = null, answer = null
       where i.created_at < $6 returning key`,
      [request.storeId, request.actor, request.key, request.hash, now, oldest],
    );
    // The limit is for this wait only, not for the change's own row locks.
    await sql(em, 'set local lock_timeout = 0');
    if (inserted.length > 0) return undefined;
  } catch (error) {
    if (sqlState(error) !== lockTimeout) throw error;
    throw marked(
      new Problem('conflict', 'A request with this Idempotency-Key is still in progress', { details: 'Idempotency-Key is in use' }),
    );
  }
  const [row] = await sql<{ hash: Buffer; status: number; answer: Buffer }>(
    em,
    `select hash, status, answer from ${db.schema}.idempotency where store_id = $1 and actor = $2 and key = $3`,
    [request.storeId, request.actor, request.key],
  );
  if (!row?.hash.equals(request.hash)) {
    throw marked(
      new Problem('invalid', 'Idempotency-Key was already used with another request', {
        errors: ['Idempotency-Key was already used with another request'],
      }),
    );
  }
  return { status: row.status, bytes: row.answer, replayed: true };
}

function marked(problem: Problem): Problem {
  misuse.add(problem);
  return problem;
}

/** The refused change was rolled back, and its claim with it; the refusal is kept by itself. */
async function keepRefusal<T>(db: Db, request: IdempotentRequest, problem: Problem, codec: AnswerCodec<T>): Promise<void> {
  await db.unit(request.storeId, (em) =>
    sql(
      em,
      `insert into ${db.schema}.idempotency (store_id, actor, key, hash, status, answer, created_at) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (store_id, actor, key) do nothing`,
      [request.storeId, request.actor, request.key, request.hash, problem.status, codec.encodeProblem(problem), db.clock.now()],
    ),
  );
}

/** Removes what is older than 24 hours; services call it now and then. */
export async function forgetOldAnswers(db: Db): Promise<void> {
  const oldest = new Date(db.clock.now().getTime() - keptHours * 3_600_000);
  await db.unit(0, (em) => sql(em, `delete from ${db.schema}.idempotency where created_at < $1`, [oldest]));
}
