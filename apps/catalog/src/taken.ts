/** A sku that somebody else has: found beforehand it is a 422, in a race the unique index makes it a 409 (D27). */
import { isUniqueViolation, raced } from '@store/db';

/** Awaits a write; a unique index that refuses it is a race for `field`. */
export async function orRaced<T>(field: string, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isUniqueViolation(error) ? raced(field, error) : error;
  }
}
