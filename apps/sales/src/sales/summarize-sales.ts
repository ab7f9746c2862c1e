import { cents, moneyText } from '@store/input';
import type { SaleSummary } from '@store/protos/sales/v1.ts';
import { DateTime } from 'luxon';
import type { Verb } from '../sales.ts';
import { dateWindow } from './date-window.ts';

const topMax = 5;

/** listed_at is the completion of a completed sale; its index gives the day. */
const byHour = `
  select extract(hour from listed_at at time zone $4)::int as hour, count(*)::int as sales, sum(total) as total
  from sales.sales where store_id = $1 and listed_at >= $2 and listed_at < $3 and status = 'completed'
  group by 1 order by 1`;

/** Of the store $1: last week from $2 to before $3, and today from $4 to before $5. */
const beside = `
  with today as materialized (
    select id from sales.sales where store_id = $1 and listed_at >= $4 and listed_at < $5 and status = 'completed')
  select
    (select coalesce(sum(total), 0)::numeric(24, 2)::text from sales.sales
      where store_id = $1 and listed_at >= $2 and listed_at < $3 and status = 'completed') as last_week_total,
    (select coalesce(sum(amount), 0)::numeric(24, 2)::text from sales.sale_payments payment join today on today.id = payment.sale_id
      where payment.store_id = $1 and payment.method = 'cash') as cash_total,
    (select coalesce(json_agg(good), '[]') from (
      select product_id, max(product_name) as product_name, sum(quantity)::float8 as quantity, sum(total)::numeric(24, 2)::text as total
      from sales.sale_line_items line join today on today.id = line.sale_id
      where line.store_id = $1 and product_id is not null
      group by product_id order by sum(line.total) desc, product_id limit ${topMax}) good) as top_products`;

type Beside = Pick<SaleSummary, 'last_week_total' | 'cash_total' | 'top_products'>;

interface HourRow {
  hour: number;
  sales: number;
  total: string;
}

/** GET /sales/by_hour (staff): today's completed sales, counted by the hour of the store's clock, and what they compare with. */
export const summarizeSales: Verb<'SummarizeSales'> = async (app, _request, call) => {
  const { storeId, timeZone } = call.caller;
  const now = app.db.clock.now();
  const { from, to } = dateWindow({ period: 'today' }, timeZone, now);
  // By the store's clock: a day between may have 23 or 25 hours.
  const weekAgo = (at: Date) => DateTime.fromJSDate(at, { zone: timeZone }).minus({ weeks: 1 }).toJSDate();
  const [hours, [compared]] = await Promise.all([
    app.db.read<HourRow>(byHour, [storeId, from, to, timeZone]),
    app.db.read<Beside>(beside, [storeId, weekAgo(from!), weekAgo(now), from, to]),
  ]);
  return {
    sale_summary: {
      day: DateTime.fromJSDate(now, { zone: timeZone }).toISODate()!,
      sales: hours.reduce((sum, { sales }) => sum + sales, 0),
      total: moneyText(hours.reduce((sum, { total }) => sum + cents(total), 0n)),
      hours,
      ...compared!,
    },
  };
};
