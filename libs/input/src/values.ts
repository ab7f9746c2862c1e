/** Client text to accepted values, a field at a time (zod), with the messages of the specification; for `*.input.ts` only. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { type Mark, parseCursor } from './cursor.ts';
import { costScale, moneyMax, moneyScale, quantityMax, quantityScale, scaled, shortened, unscaled } from './decimal.ts';

const textMaxDefault = 255;
const idMax = BigInt(Number.MAX_SAFE_INTEGER);

function check<T>(judge: (text: string, fail: (message: string) => never) => T) {
  return z.string().transform((text, context): T => {
    const fail = (message: string): never => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    return judge(text, fail);
  });
}

const invalidCharacters = 'contains invalid characters';

/** Text as sent, null when blank. NUL and lone surrogates are refused (D25). */
export function textField(max = textMaxDefault) {
  return check<string | null>((text, fail) => {
    if (text.includes('\0')) return fail(invalidCharacters);
    if (text.length > max) return fail(`is too long (maximum is ${max} characters)`);
    return text.trim() === '' ? null : text;
  });
}

/** An address that a page may load or link to: of http or https, and so no script; null when blank. */
export function urlField(max: number) {
  return textField(max).refine((text) => text === null || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)), {
    message: 'must be an http or https address',
  });
}

/** The id that another system has for a record (D267): trimmed, null when blank. */
export const externalIdField = () => textField().transform((text) => text?.trim() ?? null);

/** The filter of that id: undefined where there is none, null, which equals nothing, for what no record can have. */
export function soughtExternalId(text: string | undefined): string | null | undefined {
  const sought = text?.trim();
  return sought?.includes('\0') ? null : sought || undefined;
}

export function requiredText(max = textMaxDefault) {
  return check<string>((text, fail) => {
    if (text.includes('\0')) return fail(invalidCharacters);
    if (text.trim() === '') return fail("can't be blank");
    if (text.length > max) return fail(`is too long (maximum is ${max} characters)`);
    return text;
  });
}

export function choice<const T extends string>(values: readonly T[]) {
  return check<T>((text, fail) => {
    const found = values.find((value) => value === text);
    return found ?? fail(`must be one of ${values.join(', ')}`);
  });
}

/** Decimal text at a scale, null when blank. */
function decimalField(scale: number, bounds: { min?: bigint; max: bigint }) {
  return check<string | null>((text, fail) => {
    if (text.trim() === '') return null;
    const value = scaled(text, scale);
    if (value === undefined) return fail('is not a number');
    if (bounds.min !== undefined && value < bounds.min) return fail('must be greater than or equal to 0');
    if (value >= bounds.max || value <= -bounds.max) return fail('is too large');
    return unscaled(value, scale);
  });
}

/** Money of at least 0 as two-decimal text; more decimals are rounded half-up (D41). */
export const moneyField = () => decimalField(moneyScale, { min: 0n, max: moneyMax });
export const signedMoneyField = () => decimalField(moneyScale, { max: moneyMax });
/** A signed quantity as three-decimal text (D166). */
export const quantityField = () => decimalField(quantityScale, { max: quantityMax });
/** What one unit costs, at least 0: "0.0125", "2.00". */
export const costField = () =>
  decimalField(costScale, { min: 0n, max: moneyMax * 10n ** BigInt(costScale - moneyScale) }).transform((text) => text && shortened(text));
export const amountField = () => decimalField(quantityScale, { min: 0n, max: quantityMax });

/** true, false, "true", "false" (D151). */
export function booleanField() {
  return check<boolean>((text, fail) => (text === 'true' ? true : text === 'false' ? false : fail('must be true or false')));
}

export function idField() {
  return check<number | null>((text, fail) => (text.trim() === '' ? null : (parseId(text) ?? fail('must be an integer'))));
}

export function integerField(min: number, max: number) {
  return check<number | null>((text, fail) => {
    if (text.trim() === '') return null;
    const value = parseWhole(text);
    if (value === undefined) return fail('must be an integer');
    return value < min || value > max ? fail(`must be between ${min} and ${max}`) : value;
  });
}

/** YYYY-MM-DD, null when blank. There is no year 0 in PostgreSQL. */
export function dateField() {
  return check<string | null>((text, fail) => {
    if (text.trim() === '') return null;
    return /^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && DateTime.fromISO(text).isValid ? text : fail('must be a valid date');
  });
}

/** Earlier years are read back as another date: 0001 as 2001, and PostgreSQL has no year 0. */
const firstYear = 100;

export function timestampField(timeZone: string) {
  return check<Date | null>((text, fail) => {
    if (text.trim() === '') return null;
    const time = parseTimestamp(text, timeZone);
    return time && time.getUTCFullYear() >= firstYear ? time : fail('must be a valid timestamp');
  });
}

/** A positive whole number that a bigint id can be; undefined for anything else (D25). */
export function parseId(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined;
  const value = BigInt(text);
  return value > 0n && value <= idMax ? Number(value) : undefined;
}

function parseWhole(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?\d{1,15}$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** The calendar date, YYYY-MM-DD, that it is in a time zone. */
export function dateIn(timeZone: string, at: Date): string {
  const date = DateTime.fromJSDate(at, { zone: timeZone }).toISODate();
  if (date === null) throw new Error(`not a time zone: ${timeZone}`);
  return date;
}

/** A calendar date in the extended or the basic form, and what follows it. */
const dated = /^(\d{4}-\d\d-\d\d|\d{8})(?:[T ](.*))?$/;

/** ISO 8601, extended or basic, in the store's zone without an offset; a "+" that the query made a space is repaired (D36). */
export function parseTimestamp(text: string | undefined, timeZone: string): Date | undefined {
  if (text === undefined || text.length > 40) return undefined;
  const [, date, time] = dated.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const rest = time === undefined ? '' : `T${time.replace(/ (\d\d:?\d\d)$/, '+$1')}`;
  const parsed = DateTime.fromISO(date + rest, { zone: timeZone });
  return parsed.isValid ? parsed.toJSDate() : undefined;
}

export interface Page {
  page: number;
  perPage: number;
  offset: number;
  /** Rows to read: with a cursor one more than are shown, which tells whether there are more. */
  limit: number;
  /** The list is read by cursors: in an order that never changes, and after `mark`, unless the page is the first. */
  walk?: { mark: Mark | undefined };
}

const perPageMax = 100;
/** An OFFSET beyond this finds nothing in any store, and bigint arithmetic stays exact. */
const pageMax = 1_000_000_000;

/** page and per_page, lenient as D33 says: an invalid value is the default, more than 100 is 100. With `after` no page is asked for. */
export function parsePage(request: { page?: string; per_page?: string; after?: string }, perPageDefault: number): Page {
  const wanted = wholeOr(request.per_page, perPageDefault);
  const perPage = wanted < 1 ? perPageDefault : Math.min(wanted, perPageMax);
  if (request.after !== undefined) return walkedPage(request.after.trim(), perPage);
  const page = Math.min(Math.max(wholeOr(request.page, 1), 1), pageMax);
  return { page, perPage, offset: (page - 1) * perPage, limit: perPage };
}

function walkedPage(after: string, perPage: number): Page {
  const { page, mark } = after === '' ? { page: 1, mark: undefined } : parseCursor(after);
  return { page, perPage, offset: 0, limit: perPage + 1, walk: { mark } };
}

function wholeOr(text: string | undefined, otherwise: number): number {
  if (text === undefined || !/^[+-]?\d+$/.test(text.trim())) return otherwise;
  return Math.max(Math.min(Number(text), pageMax), -1);
}

export interface PaginationView {
  current_page: number;
  per_page: number;
  total_count: number;
  total_pages: number;
}

export function paginationView(page: Page, totalCount: number): PaginationView {
  return { current_page: page.page, per_page: page.perPage, total_count: totalCount, total_pages: Math.ceil(totalCount / page.perPage) };
}

export type FieldErrors = Record<string, string[]>;

export type Fields = Record<string, z.ZodType>;

export type Accepted<F extends Fields> = { [Name in keyof F]?: z.output<F[Name]> };

/** Validates the fields that were sent; fields that were not sent stay absent, unlisted ones are ignored. */
export function parseFields<F extends Fields>(
  fields: F,
  message: object,
  errors: FieldErrors = {},
): { values: Accepted<F>; errors: FieldErrors } {
  const values: Record<string, unknown> = {};
  const sent = message as Record<string, unknown>;
  for (const path of (sent.malformed as string[] | undefined) ?? []) {
    const name = path.split('.')[0]!;
    if (name in fields) errors[name] = ['is invalid'];
  }
  for (const name of Object.keys(fields)) {
    const text = sent[name];
    if (typeof text !== 'string' || errors[name]) continue;
    const result = fields[name]!.safeParse(text);
    if (result.success) values[name] = result.data;
    else errors[name] = result.error.issues.map((issue) => issue.message);
  }
  return { values: values as Accepted<F>, errors };
}
