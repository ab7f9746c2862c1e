/** Times are shown in the store's time zone, and as how long ago where that says more. */

import { Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { listeners } from '../api/listeners.ts';
import { useStore } from '../api/store.ts';
import { locale, t } from '../language/t.ts';

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });

export function agoText(at: string): string {
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const step = steps.find(([, size]) => Math.abs(seconds) >= size);
  if (!step) return Math.abs(seconds) < 10 ? t('just now') : relative.format(Math.round(seconds), 'second');
  return relative.format(Math.round(seconds / step[1]), step[0]);
}

export function timeText(at: string, timeZone: string, seconds = false): string {
  return new Intl.DateTimeFormat(locale(), {
    timeZone,
    day: 'numeric',
    month: 'short',
    // The present year goes without saying.
    ...(new Date(at).getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds && { second: '2-digit' }),
  }).format(new Date(at));
}

/** The day of a moment in a time zone, as `2030-05-04`: so Swedes write it, in every browser. */
export const dayIn = (timeZone: string, atMs = Date.now()): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(atMs);

/** A day without a time, as `2030-05-04`. */
export function dayText(day: string): string {
  const format = new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
  return format.format(new Date(`${day}T00:00:00Z`));
}

const againEveryMs = 15_000;
let tickCount = 0;
const { subscribe, tell } = listeners();

/** One timer for all times, whatever page they are on. */
setInterval(() => {
  tickCount += 1;
  tell();
}, againEveryMs);

/** `ago`: how long ago, kept true while it is shown, with the time itself on hover. */
export function Time({ at, ago = false, seconds = false }: { at: string | null | undefined; ago?: boolean; seconds?: boolean }) {
  const { timeZone } = useStore();
  if (!at)
    return (
      <Text span c="dimmed" inherit>
        {'–'}
      </Text>
    );
  const text = timeText(at, timeZone, seconds);
  if (!ago)
    return (
      <time dateTime={at} className="nowrap">
        {text}
      </time>
    );
  return <Ago at={at} title={`${text} (${timeZone})`} />;
}

function Ago({ at, title }: { at: string; title: string }) {
  useSyncExternalStore(subscribe, () => tickCount);
  return (
    <time dateTime={at} className="nowrap" title={title}>
      {agoText(at)}
    </time>
  );
}
