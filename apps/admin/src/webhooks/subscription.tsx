/** One webhook subscription: its facts, what staff can do, its last 50 attempts as they happen. */

import { Badge, Grid, Group, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useRead } from '../api/query.ts';
import { t } from '../language/t.ts';
import { Page, Section } from '../parts/page.tsx';
import { Facts, Shown } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { Attempts } from './attempts.tsx';
import { LiveBadge } from './live-badge.tsx';
import { SubscriptionActions } from './subscription-actions.tsx';
import { Failures, SubscriptionState } from './subscription-state.tsx';
import { useLive } from './use-live.ts';

export default function Subscription() {
  const id = Number(useParams().id);
  const live = useLive();
  const monitor = useRead('getMonitor', { params: { id } });
  const subscription = monitor.data?.webhook_subscription;
  return (
    <Page
      title={t('Webhook subscription')}
      about={subscription?.url}
      above={['/webhooks', t('Webhooks')]}
      actions={<LiveBadge state={live} />}
    >
      <Shown of={monitor}>
        {({ webhook_subscription, recent_deliveries }) => (
          <Grid gap="md">
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Stack>
                <Section title={t('Receiver')}>
                  <SubscriptionFacts of={webhook_subscription!} />
                </Section>
                <Section title={t('Actions')}>
                  <SubscriptionActions of={webhook_subscription!} />
                </Section>
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Section title={t('Last 50 attempts')}>
                <Attempts of={recent_deliveries} />
              </Section>
            </Grid.Col>
          </Grid>
        )}
      </Shown>
    </Page>
  );
}

function SubscriptionFacts({ of }: { of: Schemas['MonitoredSubscription'] }) {
  return (
    <Facts
      of={[
        [t('State'), <SubscriptionState key="state" of={of} />],
        [t('Failures in a row'), <Failures key="failures" of={of} />],
        [t('Key'), of.api_key?.name],
        [t('Last sent'), <Time key="last" at={of.last_triggered_at} ago />],
        [t('Subscribed'), <Time key="created" at={of.created_at} />],
        !!of.disabled_at && [t('Disabled'), <Time key="disabled" at={of.disabled_at} />],
        [
          t('Events'),
          <Group key="events" gap={4} justify="flex-end">
            {of.events.map((name) => (
              <Badge key={name} color="gray">
                {name}
              </Badge>
            ))}
          </Group>,
        ],
      ]}
    />
  );
}
