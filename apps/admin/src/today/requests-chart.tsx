import type { Schemas } from '../api/gen/api.js';
import { useStore } from '../api/store.ts';
import { locale, t } from '../language/t.ts';
import { Bars } from '../parts/chart.tsx';
import { Empty } from '../parts/states.tsx';

const chartHeight = 230;
const hourMs = 3_600_000;
const hoursShown = 24;

export default function RequestsChart({ of }: { of: Schemas['RequestSummary'] }) {
  const { timeZone } = useStore();
  if (of.requests === 0) return <Empty title={t('No request in 24 hours')} />;
  const hourText = new Intl.DateTimeFormat(locale(), { timeZone, hour: '2-digit', minute: '2-digit' });
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
      text={t('{requests} requests in 24 hours, {errors} refused or failed, {rateLimited} of them rate limited', {
        requests: of.requests,
        errors: of.errors,
        rateLimited: of.rate_limited,
      })}
      labels={shown.map((hour) => hourText.format(hour * hourMs))}
      series={[
        { name: t('Answered'), color: 'indigo', values: values(({ requests, errors }) => requests - errors) },
        { name: t('Refused'), color: 'orange', values: values(({ errors, rate_limited }) => errors - rate_limited) },
        { name: t('Rate limited'), color: 'red', values: values(({ rate_limited }) => rate_limited) },
      ]}
      height={chartHeight}
    />
  );
}
