import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { Schemas } from '../api/gen/api.js';
import { useStore } from '../api/store.ts';
import { shownMoney } from '../parts/money.ts';
import { Empty } from '../parts/states.tsx';

const chartHeight = 240;
/** At least the usual opening hours are shown, so that a quiet morning looks like one. */
const [opens, closes] = [8, 20];

export default function SalesChart({ hours }: { hours: Schemas['SaleHour'][] }) {
  const { currency } = useStore();
  if (hours.length === 0) return <Empty title="No sale yet today">The first one appears here within a minute.</Empty>;
  const first = Math.min(opens, ...hours.map(({ hour }) => hour));
  const last = Math.max(closes, ...hours.map(({ hour }) => hour));
  const data = Array.from({ length: last - first + 1 }, (_, index) => {
    const found = hours.find(({ hour }) => hour === first + index);
    return { hour: `${String(first + index).padStart(2, '0')}:00`, Sold: Number(found?.total ?? 0) };
  });
  const spoken = hours.map(({ hour, total }) => `${hour}:00 ${shownMoney(total, currency)}`).join(', ');
  return (
    <div role="img" aria-label={`Sales by hour: ${spoken}`}>
      <BarChart
        h={chartHeight}
        data={data}
        dataKey="hour"
        series={[{ name: 'Sold', color: 'indigo.7' }]}
        valueFormatter={(value) => shownMoney(value, currency)}
        gridAxis="y"
        tickLine="none"
        barProps={{ radius: [3, 3, 0, 0], isAnimationActive: false }}
        yAxisProps={{ width: 72 }}
      />
    </div>
  );
}
