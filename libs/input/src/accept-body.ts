import { missing } from '@store/problem';
import { type Accepted, type FieldErrors, type Fields, parseFields } from './values.ts';

/** Values of a body without a wrapper; a required one that was not sent is a 400 (D1). */
export function acceptBody<F extends Fields>(
  fields: F,
  required: (keyof F & string)[],
  body: object,
): { values: Accepted<F>; errors: FieldErrors } {
  const { malformed = [], ...sent } = body as { malformed?: string[] } & Record<string, unknown>;
  for (const name of required) if (sent[name] === undefined && !malformed.includes(name)) throw missing(name);
  return parseFields(fields, body);
}
