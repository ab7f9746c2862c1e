/** Values of query parameters that would be ignored or read as another: refused on request (D283). */
import { type Endpoint, optionsOf } from '@store/contract';
import { parseTimestamp } from '@store/input';
import { DateTime } from 'luxon';

export type Fault = [name: string, text: string];

type Options = Record<string, unknown>;

/** Each named once. Text without a form is never ignored: what nothing has finds nothing. */
export function ignoredValues({ request }: Pick<Endpoint, 'request'>, query: URLSearchParams): Fault[] {
  return [...new Set(query.keys())].flatMap((name): Fault[] => {
    const field = request.fields[name];
    if (!field) return [];
    const [value, ...more] = query.getAll(name);
    const options = optionsOf(field);
    const text = more.length > 0 ? 'is sent more than once' : (wrongForm(value!.trim(), options) ?? withoutEffect(options, query));
    return text === undefined ? [] : [[name, text]];
  });
}

function wrongForm(value: string, { json_type, allowed_values, default_value, minimum, maximum }: Options): string | undefined {
  // Blank text is no date of an export, and the default of what has one.
  if (value === '' && default_value !== undefined) return undefined;
  if (json_type === 'integer') return wrongInteger(value, minimum as number | undefined, maximum as number | undefined);
  // A list heeds only true.
  if (json_type === 'boolean') return ['true', 'false'].includes(value) ? undefined : 'must be true or false';
  if (json_type === 'timestamp') return parseTimestamp(value, 'utc') ? undefined : 'must be a valid timestamp';
  if (json_type === 'date') return isDate(value) ? undefined : 'must be a valid date, such as 2026-11-20';
  if (typeof allowed_values !== 'string') return undefined;
  const known = allowed_values.split(',');
  return known.includes(value) ? undefined : `must be one of ${known.join(', ')}`;
}

function wrongInteger(value: string, minimum?: number, maximum?: number): string | undefined {
  if (!/^[+-]?\d{1,16}$/.test(value)) return 'must be an integer';
  if (minimum !== undefined && Number(value) < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && Number(value) > maximum ? `must be at most ${maximum}` : undefined;
}

function isDate(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value) && DateTime.fromISO(value).isValid;
}

function withoutEffect({ needs, idle_beside }: Options, query: URLSearchParams): string | undefined {
  const missing = listed(needs).find((name) => !isSent(name, query));
  if (missing) return `has no effect without "${missing}"`;
  const other = listed(idle_beside).find((condition) => isSent(condition, query));
  return other && `has no effect beside "${other}"`;
}

const listed = (names: unknown): string[] => (typeof names === 'string' ? names.split(',') : []);

/** `condition`: a name, or name=value. */
function isSent(condition: string, query: URLSearchParams): boolean {
  const [name, value] = condition.split('=') as [string, string?];
  const sent = query.get(name)?.trim();
  return value === undefined ? Boolean(sent) : sent === value;
}
