import { Badge, Group, Text } from '@mantine/core';
import type { Schemas } from '../api/gen/api.js';
import { t } from '../language/t.ts';

type Subscription = Schemas['MonitoredSubscription'];

/** Failed deliveries in a row that disable a subscription (docs/webhooks.md). */
const failuresMax = 5;

export function SubscriptionState({ of }: { of: Subscription }) {
  if (of.disabled_at) return <Badge color="red">{t('Disabled')}</Badge>;
  if (!of.active) return <Badge color="gray">{t('Paused')}</Badge>;
  if (!of.deliverable) return <Badge color="gray">{t('Key not in force')}</Badge>;
  return of.failure_count > 0 ? <Badge color="yellow">{t('Failing')}</Badge> : <Badge color="green">{t('Active|a subscription')}</Badge>;
}

export function Failures({ of }: { of: Subscription }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text span size="sm" className="numeric" c={of.failure_count > 0 ? 'red' : undefined} fw={of.failure_count > 0 ? 600 : undefined}>
        {of.failure_count}
      </Text>
      <Text span size="xs" c="dimmed">
        {t('of {max}', { max: failuresMax })}
      </Text>
    </Group>
  );
}
