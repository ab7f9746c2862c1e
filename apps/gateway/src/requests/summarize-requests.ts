/** GET /requests/summary (staff): the last 24 hours, counted by status, key and hour in one statement. */
import type { RequestSummary } from '@store/protos/gateway/v1.ts';
import type { Gateway, Verb } from '../gateway.ts';

const dayMs = 24 * 3_600_000;
const keysMax = 20;
const rateLimited = 429;
const unauthorized = 401;
const firstError = 400;

/** Text: grouping sets read the day once; a row is of one status, one key or one hour. Refused requests are counted already (D259). */
const counts = `
  with answered as (
    select status, key_id, date_trunc('hour', created_at) as hour, count(*) as n
    from gateway.requests where store_id = $1 and created_at >= $2 group by 1, 2, 3
    union all
    select refused.status, u.key_id, date_trunc('hour', u.minute), sum(refused.n)
    from gateway.key_usage u cross join lateral (values (${rateLimited}, u.rate_limited), (${unauthorized}, u.unauthorized)) as refused(status, n)
    where u.store_id = $1 and u.minute >= $2 and refused.n > 0 group by 1, 2, 3
  )
  select status, key_id, hour, grouping(status, key_id, hour) as kind,
    sum(n)::int as requests, coalesce(sum(n) filter (where status >= ${firstError}), 0)::int as errors,
    coalesce(sum(n) filter (where status = ${rateLimited}), 0)::int as rate_limited
  from answered group by grouping sets ((status), (key_id), (hour))
  order by kind, status, hour, requests desc`;

/** What grouping() says of each set: a bit is set for a column that the set leaves out. */
const kinds = { status: 0b011, key: 0b101, hour: 0b110 };

interface CountRow {
  status: number | null;
  key_id: number | null;
  hour: Date | null;
  kind: number;
  requests: number;
  errors: number;
  rate_limited: number;
}

export const summarizeRequests: Verb<'SummarizeRequests'> = async (app, _request, { caller }) => {
  await Promise.all([app.requests.flush(), app.usage.flush()]);
  const since = new Date(app.db.clock.now().getTime() - dayMs);
  const rows = await app.reports.read<CountRow>(counts, [caller.storeId, since]);
  const hours = rows.filter(({ kind }) => kind === kinds.hour);
  const sum = (name: 'requests' | 'errors' | 'rate_limited') => hours.reduce((total, row) => total + row[name], 0);
  const summary: RequestSummary = {
    since: since.toISOString(),
    requests: sum('requests'),
    errors: sum('errors'),
    rate_limited: sum('rate_limited'),
    statuses: rows.filter(({ kind }) => kind === kinds.status).map(({ status, requests }) => ({ status: status!, requests })),
    keys: await keysOf(app, caller.storeId, rows),
    hours: hours.map(({ hour, requests, errors, rate_limited }) => ({ hour: hour!.toISOString(), requests, errors, rate_limited })),
  };
  return { request_summary: summary };
};

/** With their current names; requests of staff have no key. */
async function keysOf({ reports }: Gateway, storeId: number, rows: CountRow[]): Promise<NonNullable<RequestSummary['keys']>> {
  const busiest = rows
    .filter(({ kind, key_id }) => kind === kinds.key && key_id !== null)
    .sort((a, b) => b.requests - a.requests)
    .slice(0, keysMax);
  if (busiest.length === 0) return [];
  const ids = busiest.map(({ key_id }) => key_id);
  const found = await reports.read<{ id: number; name: string }>(
    'select id, name from gateway.api_keys where store_id = $1 and id = any ($2::bigint[])',
    [storeId, ids],
  );
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return busiest.map(({ key_id, requests, errors, rate_limited }) => ({
    key: { id: key_id!, name: names.get(key_id!) ?? '' },
    requests,
    errors,
    rate_limited,
  }));
}
