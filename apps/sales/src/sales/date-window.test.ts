/** The window of days, against an independent reading of the zone's clock around every change of 2025 and 2026. */
import { describe, expect, test } from '@jest/globals';
import { dateWindow } from './date-window.ts';

const zones = [
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  // Their clocks change at midnight: it is skipped, or passed twice.
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Havana',
];

const hourMs = 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day that the zone's clock shows. */
function dayAt(ms: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(ms);
}

const offsetFormats = new Map<string, Intl.DateTimeFormat>();
function offsetAt(ms: number, timeZone: string): string {
  let format = offsetFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    offsetFormats.set(timeZone, format);
  }
  return format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value;
}

/** Days on which the zone's offset changes, with the day before and after each. */
function daysAroundChanges(timeZone: string): string[] {
  const days = new Set<string>();
  for (let ms = Date.UTC(2025, 0, 1); ms < Date.UTC(2027, 0, 1); ms += hourMs) {
    if (offsetAt(ms, timeZone) === offsetAt(ms + hourMs, timeZone)) continue;
    for (const day of [-24, 0, 24]) days.add(dayAt(ms + day * hourMs, timeZone));
  }
  return days.size > 0 ? [...days] : ['2025-03-30', '2026-10-25'];
}

const now = new Date('2026-11-20T12:00:00Z');
const windowOf = (request: Parameters<typeof dateWindow>[0], timeZone: string, at = now) => dateWindow(request, timeZone, at);

describe.each(zones)('%s: around every change of 2025 and 2026', (timeZone) => {
  test.each(daysAroundChanges(timeZone))('%s is exactly the moments at which its clock shows that day', (day) => {
    const { from, to } = windowOf({ start_date: day, end_date: day }, timeZone);
    expect([dayAt(from.getTime(), timeZone), dayAt(to.getTime() - 1, timeZone)]).toEqual([day, day]);
    expect([dayAt(from.getTime() - 1, timeZone) < day, dayAt(to.getTime(), timeZone) > day]).toEqual([true, true]);
    // The same day as `today`, whenever in it the question is asked.
    for (const at of [from, new Date((from.getTime() + to.getTime()) / 2), new Date(to.getTime() - 1)]) {
      expect(windowOf({}, timeZone, at)).toEqual({ from, to });
    }
  });
});

const londonHours = (request: Parameters<typeof dateWindow>[0], at = now) => {
  const { from, to } = windowOf(request, 'Europe/London', at);
  return (to.getTime() - from.getTime()) / hourMs;
};

describe('which days', () => {
  const today = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') };

  test.each([
    [{}],
    [{ start_date: '2026-11-01' }],
    [{ end_date: '2026-11-01' }],
    [{ start_date: '2026-11-01', end_date: 'soon' }],
    [{ start_date: '2026-02-30', end_date: '2026-11-01' }],
    [{ start_date: '2026-11-01', end_date: '2026-11-01T00:00:00Z' }],
    [{ start_date: '01.11.2026', end_date: '02.11.2026' }],
    [{ period: 'fortnight' }],
    [{ period: 'constructor' }],
    [{ period: '' }],
    [{ period: 'today' }],
  ])('%j is today', (request) => {
    expect(windowOf(request, 'Europe/London')).toEqual(today);
  });

  test.each([
    ['yesterday', '2026-11-19T00:00:00Z', '2026-11-20T00:00:00Z'],
    ['week', '2026-11-14T00:00:00Z', '2026-11-21T00:00:00Z'],
    ['month', '2026-10-19T23:00:00Z', '2026-11-21T00:00:00Z'],
  ])('D90: period=%s, and it is used instead of the dates (D89)', (period, from, to) => {
    const expected = { from: new Date(from), to: new Date(to) };
    expect(windowOf({ period }, 'Europe/London')).toEqual(expected);
    expect(windowOf({ period, start_date: '2020-01-01', end_date: '2020-01-02' }, 'Europe/London')).toEqual(expected);
  });

  test('D89: dates apply when the period is unknown', () => {
    const dated = { start_date: '2026-11-01', end_date: '2026-11-02' };
    expect(windowOf({ ...dated, period: 'ever' }, 'UTC')).toEqual(windowOf(dated, 'UTC'));
  });

  test('D238: a month goes back to the same day of last month, or to its last day', () => {
    const from = (day: string) =>
      windowOf({ period: 'month' }, 'UTC', new Date(`${day}T12:00:00Z`))
        .from.toISOString()
        .slice(0, 10);
    expect(['2026-03-31', '2026-12-31', '2028-03-30'].map(from)).toEqual(['2026-02-28', '2026-11-30', '2028-02-29']);
  });

  test('D88, D91: the end day of 23 to 25 hours is included; start after end is empty', () => {
    expect(londonHours({ start_date: '2026-03-29', end_date: '2026-03-29' })).toBe(23);
    expect(londonHours({ start_date: '2026-10-25', end_date: '2026-10-25' })).toBe(25);
    expect(londonHours({ start_date: '2026-10-24', end_date: '2026-10-26' })).toBe(73);
    expect(londonHours({ period: 'week' }, new Date('2026-03-30T12:00:00Z'))).toBe(7 * 24 - 1);
    expect(londonHours({ start_date: '2026-10-26', end_date: '2026-10-24' })).toBeLessThan(0);
  });
});
