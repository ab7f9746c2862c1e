/** When the sales of the data are dated: as they were, or on the last days, today among them. */

export const datePolicies = ['shifted', 'kept'] as const;
export type DatePolicy = (typeof datePolicies)[number];

const dayMs = 86_400_000;
/** A sale is never dated later than this before now. */
const leewayMs = 60_000;

/**
 * Gives each local time of the data (2010-12-01T08:26) the local time of its sale. Shifted, its days become
 * the last days up to today, without those on which the retailer was closed: yesterday has sales too. Today may not be over yet: its
 * times are then drawn together, so that none of them is in the future.
 */
export function datesOf(times: string[], policy: DatePolicy, now: Date, timeZone: string): (at: string) => string {
  if (policy === 'kept' || times.length === 0) return (at) => `${at}:00`;
  const days = [...new Set(times.map((at) => at.slice(0, 10)))].sort();
  const last = days.at(-1)!;
  const nowLocal = localTime(new Date(now.getTime() - leewayMs), timeZone);
  const today = localTime(now, timeZone).slice(0, 10);
  const lastTime = times
    .filter((at) => at.startsWith(last))
    .sort()
    .at(-1)!;
  const closes = secondsOfDay(lastTime);
  // Shortly after midnight nothing of today is over.
  const elapsed = nowLocal.startsWith(today) ? secondsOfDay(nowLocal) : 0;
  return (at) => {
    const daysAgo = days.length - 1 - days.indexOf(at.slice(0, 10));
    const day = new Date(Date.parse(today) - daysAgo * dayMs).toISOString().slice(0, 10);
    const seconds = secondsOfDay(at);
    if (day !== today || closes <= elapsed) return `${day}T${clock(seconds)}`;
    return `${day}T${clock(Math.floor((seconds * elapsed) / closes))}`;
  };
}

/** The wall clock of that time zone, such as 2026-11-21T09:30:00. */
export function localTime(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at).replace(' ', 'T');
}

function secondsOfDay(at: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = at.slice(11).split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

function clock(seconds: number): string {
  return [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}
