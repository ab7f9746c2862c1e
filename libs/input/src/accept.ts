/** The one way from a client's body to accepted values: wrapper, fields, required fields, field errors. */
import { invalid, missing, sentences } from '@store/problem';
import { type Accepted, type FieldErrors, type Fields, parseFields } from './values.ts';

/** The accepted values, by the client's field names, and the field errors; the verb may add errors before it refuses. */
export interface Acceptance<F extends Fields> {
  values: Accepted<F>;
  errors: FieldErrors;
}

export interface Shape<F extends Fields> {
  wrapper: string;
  fields: F;
  required?: (keyof F & string)[];
}

/** Accepts bodies of one shape. A body without its wrapper, or with nothing known in it, is a 400 (D48). */
interface Acceptor<F extends Fields> {
  create(input: object | null | undefined): Acceptance<F>;
  update(input: object | null | undefined): Acceptance<F>;
}

export function acceptor<F extends Fields>({ wrapper, fields, required = [] }: Shape<F>): Acceptor<F> {
  const blank = Object.fromEntries(required.map((name) => [name, '']));
  return {
    create: (input) => parseFields(fields, { ...blank, ...present(sent(wrapper, input)) }),
    update: (input) => parseFields(fields, sent(wrapper, input)),
  };
}

/** Without what is undefined: it was not sent. */
function present(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** The wrapper's content, if it has any field that the endpoint knows. */
export function sent<Input extends object>(wrapper: string, input: Input | null | undefined): Input {
  const isEmpty = Object.values(input ?? {}).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
  if (!input || isEmpty) throw missing(wrapper);
  return input;
}

/** Values of a body without a wrapper; a required one that was not sent is a 400 (D1). */
export function acceptBody<F extends Fields>(fields: F, required: (keyof F & string)[], body: object): Acceptance<F> {
  const { malformed = [], ...given } = body as { malformed?: string[] } & Record<string, unknown>;
  for (const name of required) if (given[name] === undefined && !malformed.includes(name)) throw missing(name);
  return parseFields(fields, body);
}

/** 422 if any field was not accepted: `{error, errors: [sentence]}`. */
export function refuseErrors(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(sentences(errors));
}
