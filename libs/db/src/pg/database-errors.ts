/** Failures of PostgreSQL: what they are, and the Problem that a caller gets. */
import { DriverException, UniqueConstraintViolationException } from '@mikro-orm/core';
import { Problem, retryAfter, texts } from '@store/problem';
import type { DatabaseError } from 'pg';
import { PoolTimeout } from './connections.ts';

/** Two transactions conflicted: the loser may simply run again. */
export function isContention(error: unknown): boolean {
  const code = sqlState(error);
  return code === '40P01' || code === '40001';
}

const featureNotSupported = '0A000';
const noSuchStatement = '26000';

/**
 * A kept prepared statement that no longer runs: a migration changed its result, or a pooler dropped it. On a new connection it runs
 * (D278).
 */
export function isStalePlan(error: unknown): boolean {
  const state = sqlState(error);
  if (state === noSuchStatement) return true;
  return state === featureNotSupported && causes(error).some(({ message }) => message.includes('cached plan'));
}

const stalePlansMax = 50;

/** Runs `work`, which closes its connection when it fails, once more for each stale plan that it meets. */
export async function withFreshPlan<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries > stalePlansMax || !isStalePlan(error)) throw error;
    }
  }
}

function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}

/** Standard classes begin with a digit; PostgreSQL's own are listed. EPIPE has five letters too but is not an SQLSTATE. */
const sqlStatePattern = /^(?:\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/** The SQLSTATE of a failed statement, at any depth of the chain of causes. */
export function sqlState(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && sqlStatePattern.test(code)) return code;
  }
  return undefined;
}

/** True when a unique index refused the row: a race, as ordinary duplicates are found before. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof UniqueConstraintViolationException || sqlState(error) === '23505';
}

/** SQLSTATE class of violated constraints. */
const refusedRows = '23';

/** Of a refused row the error names the constraint and holds no values: they would be logged with it. */
export function aboutRefusal(error: DatabaseError): void {
  if (!error.code?.startsWith(refusedRows)) return;
  error.detail = undefined;
  // Citus names it in the message alone, with the number of its shard.
  error.constraint ??= /constraint "(.+?)(?:_\d+)?"/.exec(error.message)?.[1];
}

/** A failed or lost statement becomes the specification's `Database error occurred` (D175). */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || !isDatabaseError(error)) throw error;
    // No connection became free in time: nothing was asked of PostgreSQL.
    throw new Problem('database', texts.database, error instanceof PoolTimeout ? { headers: retryAfter } : {}, { cause: error });
  }
}

const connectionLost =
  /timeout exceeded when trying to connect|PostgreSQL did not answer in time|Connection terminated|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|Cannot use a pool after|not queryable|server closed the connection/i;

function isDatabaseError(error: unknown): boolean {
  if (error instanceof PoolTimeout || error instanceof DriverException || sqlState(error) !== undefined) return true;
  return error instanceof Error && connectionLost.test(`${error.message} ${(error as { code?: string }).code ?? ''}`);
}
