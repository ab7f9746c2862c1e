import type { Schemas } from '../api/gen/api.js';
import { useStore } from '../api/store.ts';
import { t } from '../language/t.ts';
import { Bars } from '../parts/chart.tsx';
import { shownMoney } from '../parts/money.ts';
import { Empty } from '../parts/states.tsx';

const chartHeight = 250;
/** At least the usual opening hours are shown, so that a quiet morning looks like one. */
const [opens, closes] = [8, 20];
const hourText = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

export default function SalesChart({ hours }: { hours: Schemas['SaleHour'][] }) {
  const { currency } = useStore();
  if (hours.length === 0) return <Empty title={t('No sale yet today')}>{t('The first one appears here within a minute.')}</Empty>;
  const first = Math.min(opens, ...hours.map(({ hour }) => hour));
  const last = Math.max(closes, ...hours.map(({ hour }) => hour));
  const shown = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const totals = new Map(hours.map(({ hour, total }) => [hour, Number(total)]));
  const spoken = hours.map(({ hour, total }) => `${hourText(hour)} ${shownMoney(total, currency)}`).join(', ');
  return (
    <Bars
      text={t('Sales by hour: {spoken}', { spoken })}
      labels={shown.map(hourText)}
      series={[{ name: t('Sold'), color: 'indigo', values: shown.map((hour) => totals.get(hour) ?? 0) }]}
      valueText={(value) => shownMoney(value, currency).replace(/\.00$/, '')}
      height={chartHeight}
    />
  );
}
