import type { Schemas } from '../api/gen/api.js';
import { useStore } from '../api/store.ts';
import { Bars } from '../parts/chart.tsx';
import { Empty } from '../parts/states.tsx';

const chartHeight = 230;
const hourMs = 3_600_000;
const hoursShown = 24;

export default function RequestsChart({ of }: { of: Schemas['RequestSummary'] }) {
  const { timeZone } = useStore();
  if (of.requests === 0) return <Empty title="No request in 24 hours" />;
  const hourText = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const byHour = new Map(of.hours.map((hour) => [Math.floor(Date.parse(hour.hour) / hourMs), hour]));
  const first = Math.floor(Date.parse(of.since) / hourMs);
  const shown = Array.from({ length: hoursShown + 1 }, (_, index) => first + index);
  const values = (take: (hour: Schemas['HourCount']) => number) =>
    shown.map((hour) => {
      const found = byHour.get(hour);
      return found ? take(found) : 0;
    });
  return (
    <Bars
      text={`${of.requests} requests in 24 hours, ${of.errors} refused or failed, ${of.rate_limited} of them rate limited`}
      labels={shown.map((hour) => hourText.format(hour * hourMs))}
      series={[
        { name: 'Answered', color: 'indigo', values: values(({ requests, errors }) => requests - errors) },
        { name: 'Refused', color: 'orange', values: values(({ errors, rate_limited }) => errors - rate_limited) },
        { name: 'Rate limited', color: 'red', values: values(({ rate_limited }) => rate_limited) },
      ]}
      height={chartHeight}
    />
  );
}
