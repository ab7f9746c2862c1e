/** Bounds around a field: a value that must be there, a largest decimal, the end of a day. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { moneyScale, scaled } from './decimal.ts';
import { timestampField } from './values.ts';

/** A field that every record has a value of: blank is an error, also of a record that exists (D47). */
export function filled<T>(field: z.ZodType<T | null>) {
  return field.transform((value, context): T => {
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: "can't be blank" });
    return z.NEVER;
  });
}

/** Two-decimal text that is at most `max`. */
export function atMost(field: z.ZodType<string | null>, max: number) {
  return field.refine((value) => value === null || scaled(value, moneyScale)! <= scaled(String(max), moneyScale)!, {
    message: `must be less than or equal to ${max}`,
  });
}

/** Two-decimal text above 0. */
export function aboveZero(field: z.ZodType<string | null>) {
  return field.refine((value) => value === null || scaled(value, moneyScale)! > 0n, { message: 'must be greater than 0' });
}

/** Where something ends: a date means through the end of that day in the store's time zone (D231). */
export function endField(timeZone: string) {
  const moment = timestampField(timeZone);
  return z.string().transform((text, context): Date | null => {
    const parsed = moment.safeParse(text);
    if (!parsed.success) {
      for (const { message } of parsed.error.issues) context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
    const isDate = /^(\d{4}-\d\d-\d\d|\d{8})$/.test(text.trim());
    if (!isDate || parsed.data === null) return parsed.data;
    return DateTime.fromJSDate(parsed.data, { zone: timeZone }).plus({ days: 1 }).startOf('day').toJSDate();
  });
}
