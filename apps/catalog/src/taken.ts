/** A name that somebody else has: found beforehand it is a 422, in a race the unique index makes it a 409. */
import { isUniqueViolation } from '@store/db';
import { Problem } from '@store/problem';

export const taken = 'has already been taken';

/** 409 of a race that a unique index decided (decision D27). */
export function raced(field: string, cause?: unknown): Problem {
  return new Problem('conflict', 'Record already exists', { details: `${field} ${taken}` }, { cause });
}

/** Awaits a write; a unique index that refuses it is a race for `field`. */
export async function orRaced<T>(field: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isUniqueViolation(error) ? raced(field, error) : error;
  }
}
