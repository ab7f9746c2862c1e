import { Group, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { numberText, t } from '../language/t.ts';
import { Spark } from '../parts/chart.tsx';

const hourMs = 3_600_000;
const hoursShown = 24;

/** A day of one subscription: the attempts that succeeded and failed, hour by hour, with the numbers beside them. */
export function SuccessLine({ hours, since }: { hours: Schemas['DeliveryHour'][]; since: string }) {
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const all = hours.reduce((sum, hour) => sum + hour.succeeded + hour.failed, 0);
  if (all === 0) {
    return (
      <Text span size="sm" c="dimmed">
        {t('None today')}
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Spark
        text={t('{succeeded} of {all} attempts succeeded', { succeeded, all })}
        series={[
          { color: 'green', values: byHour(hours, since, (hour) => hour.succeeded) },
          { color: 'red', values: byHour(hours, since, (hour) => hour.failed) },
        ]}
      />
      <Text span size="sm" className="numeric nowrap">
        {t('{succeeded} of {all}', { succeeded: numberText(succeeded), all: numberText(all) })}
      </Text>
    </Group>
  );
}

function byHour(hours: Schemas['DeliveryHour'][], since: string, take: (hour: Schemas['DeliveryHour']) => number): number[] {
  const first = Math.floor(Date.parse(since) / hourMs);
  const counts = new Map(hours.map((hour) => [Math.floor(Date.parse(hour.hour) / hourMs), take(hour)]));
  return Array.from({ length: hoursShown + 1 }, (_, index) => counts.get(first + index) ?? 0);
}
