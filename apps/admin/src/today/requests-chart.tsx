import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { Schemas } from '../api/gen/api.js';
import { useStore } from '../api/store.ts';
import { Empty } from '../parts/states.tsx';

const chartHeight = 220;
const hourMs = 3_600_000;
const hoursShown = 24;

export default function RequestsChart({ of }: { of: Schemas['RequestSummary'] }) {
  const { timeZone } = useStore();
  if (of.requests === 0) return <Empty title="No request in 24 hours" />;
  const hourText = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const byHour = new Map(of.hours.map((hour) => [Math.floor(Date.parse(hour.hour) / hourMs), hour]));
  const first = Math.floor(Date.parse(of.since) / hourMs);
  const data = Array.from({ length: hoursShown + 1 }, (_, index) => {
    const found = byHour.get(first + index);
    const [requests, errors, limited] = [found?.requests ?? 0, found?.errors ?? 0, found?.rate_limited ?? 0];
    return {
      hour: hourText.format((first + index) * hourMs),
      Answered: requests - errors,
      Refused: errors - limited,
      'Rate limited': limited,
    };
  });
  return (
    <div
      role="img"
      aria-label={`${of.requests} requests in 24 hours, ${of.errors} refused or failed, ${of.rate_limited} of them rate limited`}
    >
      <BarChart
        h={chartHeight}
        data={data}
        dataKey="hour"
        type="stacked"
        withLegend
        series={[
          { name: 'Answered', color: 'indigo.7' },
          { name: 'Refused', color: 'orange.7' },
          { name: 'Rate limited', color: 'red.8' },
        ]}
        gridAxis="y"
        tickLine="none"
        barProps={{ isAnimationActive: false }}
        yAxisProps={{ width: 56, allowDecimals: false }}
      />
    </div>
  );
}
