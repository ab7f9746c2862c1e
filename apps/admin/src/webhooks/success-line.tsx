import { Group, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { Spark } from '../parts/chart.tsx';

const hourMs = 3_600_000;
const hoursShown = 24;

/** A day of one subscription: the share of attempts that succeeded, hour by hour, with the numbers beside it. */
export function SuccessLine({ hours, since }: { hours: Schemas['DeliveryHour'][]; since: string }) {
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const all = hours.reduce((sum, hour) => sum + hour.succeeded + hour.failed, 0);
  if (all === 0) {
    return (
      <Text span size="sm" c="dimmed">
        None today
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Spark
        text={`${succeeded} of ${all} attempts succeeded`}
        color={succeeded === all ? 'green' : 'red'}
        values={sharesOf(hours, since)}
      />
      <Text span size="sm" className="numeric nowrap">
        {succeeded.toLocaleString('en')} of {all.toLocaleString('en')}
      </Text>
    </Group>
  );
}

/** Percent of each hour that had attempts; hours without any repeat the one before. */
function sharesOf(hours: Schemas['DeliveryHour'][], since: string): number[] {
  const first = Math.floor(Date.parse(since) / hourMs);
  const byHour = new Map(hours.map((hour) => [Math.floor(Date.parse(hour.hour) / hourMs), hour]));
  let last = 100;
  return Array.from({ length: hoursShown + 1 }, (_, index) => {
    const hour = byHour.get(first + index);
    if (hour) last = (100 * hour.succeeded) / (hour.succeeded + hour.failed);
    return last;
  });
}
