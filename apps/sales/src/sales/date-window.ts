/** Which sales GET /sales lists by their date: whole days in the store's time zone, of 23 and 25 hours too. */
import { DateTime, type DurationLikeObject } from 'luxon';

export interface DateWindow {
  from: Date;
  /** Exclusive: the start of the day after the last one. */
  to: Date;
}

interface Dates {
  start_date?: string;
  end_date?: string;
  period?: string;
}

/** How far before today each period begins and ends, both days included (D90). */
const periods: Record<string, { from: DurationLikeObject; to: DurationLikeObject }> = {
  today: { from: {}, to: {} },
  yesterday: { from: { days: 1 }, to: { days: 1 } },
  week: { from: { days: 6 }, to: {} },
  // The same day of last month, or that month's last day (D238).
  month: { from: { months: 1 }, to: {} },
};

/**
 * A known period is used instead of dates; dates hold only together, and the end day is included (D88, D89). Anything else
 * is today. A start after the end gives a window that nothing is in (D91).
 */
export function dateWindow({ start_date, end_date, period = '' }: Dates, timeZone: string, now: Date): DateWindow {
  const today = dayOf(now, timeZone);
  const known = Object.hasOwn(periods, period.trim()) ? periods[period.trim()]! : undefined;
  if (known) return wholeDays(today.minus(known.from), today.minus(known.to), timeZone);
  const [start, end] = [calendarDay(start_date), calendarDay(end_date)];
  return start && end ? wholeDays(start, end, timeZone) : wholeDays(today, today, timeZone);
}

/** One day, YYYY-MM-DD, that exists. */
export function dayWindow(date: string, timeZone: string): DateWindow {
  const day = calendarDay(date)!;
  return wholeDays(day, day, timeZone);
}

/** Calendar days are kept in UTC, where every day has 24 hours and exists. */
function dayOf(now: Date, timeZone: string): DateTime {
  const { year, month, day } = DateTime.fromJSDate(now, { zone: timeZone });
  return DateTime.utc(year, month, day);
}

function calendarDay(text: string | undefined): DateTime | undefined {
  const trimmed = text?.trim() ?? '';
  if (!/^\d{4}-\d\d-\d\d$/.test(trimmed)) return undefined;
  const day = DateTime.fromISO(trimmed, { zone: 'utc' });
  return day.isValid ? day : undefined;
}

function wholeDays(first: DateTime, last: DateTime, timeZone: string): DateWindow {
  return { from: startOf(first, timeZone), to: startOf(last.plus({ days: 1 }), timeZone) };
}

/** The first moment of the day: not midnight where the clocks skip it, and the earlier one where they pass it twice. */
function startOf({ year, month, day }: DateTime, timeZone: string): Date {
  const start = DateTime.fromObject({ year, month, day }, { zone: timeZone }).startOf('day');
  const hourBefore = start.minus({ hours: 1 });
  return (hourBefore.hasSame(start, 'day') ? hourBefore : start).toJSDate();
}
