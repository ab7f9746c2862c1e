/** GET /webhook_monitor/summary (staff): the attempts of the last 24 hours, counted. */
import type { Verb } from '../webhooks.ts';

const dayMs = 24 * 3_600_000;

/** The store's attempts that have ended. */
const ended = 'from webhooks.attempts a where a.store_id = $1 and a.created_at >= $2 and a.ended_at is not null';

const byHour = `
  select date_trunc('hour', a.created_at) as hour, a.subscription_id, (count(*) filter (where a.success))::int as succeeded,
    (count(*) filter (where not a.success))::int as failed ${ended} group by 1, 2 order by 1, 2`;

const durations = `
  select percentile_disc(0.5) within group (order by a.duration_ms) as median_ms,
    percentile_disc(0.95) within group (order by a.duration_ms) as p95_ms ${ended} and a.success`;

interface HourRow {
  hour: Date;
  subscription_id: number;
  succeeded: number;
  failed: number;
}

export const summarizeDeliveries: Verb<'SummarizeDeliveries'> = async (app, _request, { caller }) => {
  const since = new Date(app.db.clock.now().getTime() - dayMs);
  const values = [caller.storeId, since];
  const [hours, [took]] = await Promise.all([
    app.db.read<HourRow>(byHour, values),
    app.db.read<{ median_ms: number | null; p95_ms: number | null }>(durations, values),
  ]);
  const sum = (name: 'succeeded' | 'failed') => hours.reduce((total, row) => total + row[name], 0);
  return {
    delivery_summary: {
      since: since.toISOString(),
      succeeded: sum('succeeded'),
      failed: sum('failed'),
      median_ms: took?.median_ms ?? undefined,
      p95_ms: took?.p95_ms ?? undefined,
      hours: hours.map(({ hour, subscription_id, succeeded, failed }) => ({
        hour: hour.toISOString(),
        webhook_subscription_id: subscription_id,
        succeeded,
        failed,
      })),
    },
  };
};
