/** GET /sales/by_hour (staff): today's completed sales, counted by the hour of the store's clock. */
import { DateTime } from 'luxon';
import type { Verb } from '../sales.ts';
import { dateWindow } from './date-window.ts';

/** listed_at is the completion of a completed sale; its index gives the day. */
const byHour = `
  select extract(hour from listed_at at time zone $4)::int as hour, count(*)::int as sales, sum(total) as total
  from sales.sales where store_id = $1 and listed_at >= $2 and listed_at < $3 and status = 'completed'
  group by 1 order by 1`;

interface HourRow {
  hour: number;
  sales: number;
  total: string;
}

export const summarizeSales: Verb<'SummarizeSales'> = async (app, _request, call) => {
  const { storeId, timeZone } = call.caller;
  const now = app.db.clock.now();
  const { from, to } = dateWindow({ period: 'today' }, timeZone, now);
  const hours = await app.db.read<HourRow>(byHour, [storeId, from, to, timeZone]);
  const cents = hours.reduce((sum, { total }) => sum + BigInt(total.replace('.', '')), 0n);
  return {
    sale_summary: {
      day: DateTime.fromJSDate(now, { zone: timeZone }).toISODate()!,
      sales: hours.reduce((sum, { sales }) => sum + sales, 0),
      total: moneyOf(cents),
      hours,
    },
  };
};

/** Totals are never negative. */
function moneyOf(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
